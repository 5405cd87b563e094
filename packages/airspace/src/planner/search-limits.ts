import { UsageError } from "@coppice/engine/usage-error";
import type { PlannerOptions } from "./planner-options.ts";
import type { OuterRuns, TimeSplit } from "./root-search.ts";

/** What limits a search for a plan. */
export interface SearchLimits extends Pick<PlannerOptions, "evaluations" | "timeMs"> {
  readonly outer: OuterRuns;
}

/** What people choose of it; times in milliseconds. */
export interface LimitChoices {
  readonly roots?: number;
  readonly evaluations?: number;
  readonly parallelMode: "sims" | "time";
  readonly searchTime?: number;
  readonly timeSplit?: TimeSplit;
  readonly outerMaxRuns?: number;
  readonly outerMaxTime?: number;
  /** Of the whole run. */
  readonly maxTime?: number;
}

/** Without another limit, as many evaluations as anybody could want. */
const UNLIMITED = 1_000_000_000;
const USUAL_EVALUATIONS = 100_000;

/** The limits that were chosen; those that contradict each other are refused. */
export function searchLimits(choices: LimitChoices & { readonly roots: number }): SearchLimits {
  const { roots, parallelMode, searchTime, timeSplit, maxTime } = choices;
  const timed = parallelMode === "time";
  if (timed && searchTime === undefined) {
    throw new UsageError("--parallel-mode time: needs --search-time, the time that the searches may take");
  }
  if (!timed && searchTime !== undefined) {
    throw new UsageError(
      "--search-time: needs --parallel-mode time; otherwise evaluations limit the search, and --max-time the whole run",
    );
  }
  if (!timed && timeSplit !== undefined) throw new UsageError("--time-split: needs --parallel-mode time");
  if (searchTime === 0) throw new UsageError("--search-time 0: it must be above 0");
  const evaluations = choices.evaluations ?? (timed ? UNLIMITED : USUAL_EVALUATIONS);
  if (evaluations < roots) {
    throw new UsageError(`--evaluations ${evaluations} --roots ${roots}: every root needs at least one evaluation`);
  }
  // Each root gets all of the time, or an equal part of it.
  const timeMs =
    searchTime === undefined || timeSplit !== "share" ? searchTime : Math.max(1, Math.round(searchTime / roots));
  if (maxTime !== undefined && maxTime > 0 && timeMs !== undefined && maxTime <= timeMs) {
    throw new UsageError(
      `--max-time ${maxTime / 1000}s --search-time: a root alone takes ${timeMs / 1000}s, so the run would end without a plan`,
    );
  }
  return { evaluations, ...(timeMs === undefined ? {} : { timeMs }), outer: outerRuns(choices) };
}

function outerRuns({ outerMaxRuns, outerMaxTime, maxTime }: LimitChoices): OuterRuns {
  if (outerMaxTime === 0) throw new UsageError("--outer-max-time 0: it must be above 0");
  if (outerMaxTime !== undefined && outerMaxRuns === 1) {
    throw new UsageError(
      "--outer-max-runs 1 --outer-max-time: there is only one run, which always ends; allow more, or 0 for any number",
    );
  }
  if (outerMaxRuns === 0 && outerMaxTime === undefined && !(maxTime !== undefined && maxTime > 0)) {
    throw new UsageError("--outer-max-runs 0: needs --outer-max-time or --max-time, or it would never end");
  }
  const runs = outerMaxRuns ?? (outerMaxTime === undefined ? 1 : 0);
  return { runs: runs === 0 ? Number.POSITIVE_INFINITY : runs, timeMs: outerMaxTime };
}
