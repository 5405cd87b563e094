// Seasons as typed columns, and configurations judged on them: the fast way, for workers and measurements.

export { buildColumns } from "./columns/build.ts";
export { ColumnEvaluator } from "./columns/column-evaluator.ts";
export type { Columns } from "./columns/columns.ts";
export { shareColumns } from "./columns/shared-columns.ts";
