import { defineEvaluator } from "@coppice/engine/evaluator";
import type { Table } from "./problem.ts";

/** How far the closest number on the table is from the target. */
export default defineEvaluator({
  setup: (target: number) => target,
  evaluate: (target: number, table: Table) => Math.min(...table.map((number) => Math.abs(number - target))),
});
