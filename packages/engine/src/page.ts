// HTML pages for people: text that is escaped, a frame around it, tables and plots in it. Little else of the engine is loaded.
export { Markup, markup } from "./page/markup.ts";
export { page, table } from "./page/page-frame.ts";
export { type PlotFrame, pixel, plotFrame } from "./page/plot-frame.ts";
export { valueTicks } from "./page/ticks.ts";
export type { Timeline } from "./report/run-report.ts";
export { timelineChart } from "./report/timeline-chart.ts";
