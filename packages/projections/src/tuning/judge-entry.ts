import { defineEvaluator } from "@coppice/engine/evaluator";
import type { HorizonResults, TournamentCandidate } from "@coppice/search";
import { type Judge, judgeConfiguration, openJudge, type TuningContext } from "./judge.ts";
import type { HorizonResult } from "./objective.ts";

/** Judges a football configuration on every horizon, reporting after each. */
export default defineEvaluator<TuningContext, Judge, TournamentCandidate, HorizonResults<HorizonResult>>({
  setup: openJudge,
  evaluate: (judge, { configuration, horizons }, task) =>
    judgeConfiguration(judge, configuration, horizons, (done) => {
      // After the last horizon the result itself is on its way.
      if (done < horizons.length) task.report({ done, total: horizons.length, label: "Horizons" });
    }),
});
