// HTML pages for people: text that is escaped, a frame around it, tables and plots in it. Little else of the engine is loaded.

export type { Timeline } from "../report/run-report.ts";
export { timelineChart } from "../report/timeline-chart.ts";
export { Markup, markup } from "./markup.ts";
export { page, table } from "./page-frame.ts";
export { type PlotFrame, pixel, plotFrame } from "./plot-frame.ts";
export { valueTicks } from "./ticks.ts";
