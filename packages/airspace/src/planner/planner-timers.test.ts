import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { start, threads } from "@coppice/engine";
import type { TimerTotals } from "@coppice/engine/timers";
import { addTimerTotals, timerShares } from "@coppice/engine/timers";
import { cutDownDay } from "../../test/cut-down-day.ts";
import { defaultWeights } from "../network/weights.ts";
import { type PreparedSearch, prepareCommits, prepareRoots } from "./planning-run.ts";

const day = cutDownDay();
const plain = { policy: "plain", seed: 1, evaluations: 900, without: [] } as const;

async function timersOf({ inputs: _, ...prepared }: PreparedSearch<never, never>): Promise<TimerTotals> {
  const run = await start({ ...prepared, seed: 1, pool: threads({ workers: 1 }), timers: true });
  let totals: TimerTotals = {};
  run.subscribe((event) => {
    if (event.type === "timers") totals = addTimerTotals(totals, event.totals);
  });
  await run.finished;
  return totals;
}

describe("timers of a plan search", () => {
  it("F-01: every phase has its published name, and shares of the wall sum to at most 1", {
    timeout: 300_000,
  }, async () => {
    const rules = { mode: "stepwise", window: 1, hotspotsAtOnce: 1, commitsPerRound: 4 } as const;
    const began = performance.now();
    const agent = await timersOf(prepareRoots(day, defaultWeights, plain, 1) as never);
    const rates = await timersOf(prepareCommits(day, defaultWeights, plain, rules, 1) as never);
    const wallMs = performance.now() - began;
    assert.deepEqual(Object.keys(agent).sort(), ["agent.final_objective", "agent.hotspot_inventory", "agent.mcts.run"]);
    assert.deepEqual(Object.keys(rates).sort(), [
      "agent.final_objective",
      "agent.hotspot_inventory",
      "agent.mcts.run",
      "mcts.rate_finder.find_rates",
      "rate_finder.build_adaptive_rate_grid",
      "rate_finder.build_schedule",
      "rate_finder.build_score_context",
      "rate_finder.compute_entrants",
      "rate_finder.ensure_context_and_baseline",
      "rate_finder.evaluate_candidate",
      "rate_finder.resolve_rate_grid",
      "rate_finder.score_with_context.baseline",
      "rate_finder.score_with_context.candidate",
    ]);
    const shares = timerShares(addTimerTotals(agent, rates), wallMs);
    const sum = shares.reduce((all, { share }) => all + share, 0);
    assert.ok(sum > 0 && sum <= 1 + 1e-9, `${sum}`);
    const { ms, selfMs } = rates["mcts.rate_finder.find_rates"];
    assert.ok(ms > selfMs, "phases are parts of a search");
  });
});
