// For those who show runs: what is known of a run at a moment, and how that is written for people.
export { announcement, failedText } from "./display/announcements.ts";
export * from "./display/figures.ts";
export { PlainLines, type PlainLinesOptions } from "./display/plain-lines.ts";
export { type RunCounts, type RunSnapshot, RunView } from "./display/run-view.ts";
export { levelsLine, progressLine, summaryLine, summaryParts } from "./display/summary-line.ts";
export { type TableColumn, tableText } from "./display/table-text.ts";
export type { WorkerView } from "./display/worker-row.ts";
