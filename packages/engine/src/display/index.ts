// For those who show runs: what is known of a run at a moment, and how that is written for people.
export { announcement, failedText } from "./announcements.ts";
export * from "./figures.ts";
export { PlainLines, type PlainLinesOptions } from "./plain-lines.ts";
export { type RunCounts, type RunSnapshot, RunView } from "./run-view.ts";
export { levelsLine, progressLine, summaryLine, summaryParts } from "./summary-line.ts";
export { right, type TableColumn, tableText } from "./table-text.ts";
export type { WorkerView } from "./worker-row.ts";
