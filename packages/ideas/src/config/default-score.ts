import type { TreeConfig } from "../settings.ts";

const weighted = (column: string, weight: number) => ({ column, weight, better: "higher" as const });

/** The metrics of a trading strategy's sweep; used when the configuration names none. */
export const defaultScore: TreeConfig["score"] = {
  kind: "columns",
  primary: "core_topN_sharpe",
  metrics: [
    weighted("core_topN_sharpe", 1.5),
    weighted("mean_return_per_trade_oos", 1),
    weighted("mean_return_per_trade", 1),
    weighted("sortino", 1),
    weighted("calmar", 1),
    weighted("max_drawdown", 1),
  ],
  primaryTolerance: 0.05,
  risk: { column: "max_drawdown", worseBy: 0.1 },
};
