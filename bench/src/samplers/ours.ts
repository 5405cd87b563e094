import { performance } from "node:perf_hooks";
import { type Configuration, type SamplerName, samplerNamed, study } from "@coppice/search";
import type { TestFunction } from "./functions.ts";

/** One search: the values of its points in ask order, and what asking and telling took per trial at its end. */
export interface Searched {
  /** What each trial is truly worth. */
  readonly values: readonly number[];
  /** What the search saw of it. */
  readonly seen: readonly number[];
  /** Milliseconds per ask and tell over the last tenth of the trials. */
  readonly lastMs: number;
}

/** Searches with one of our samplers, `window` trials out at a time. */
export function searchOurs(
  method: SamplerName,
  f: TestFunction,
  trials: number,
  window: number,
  seed: number,
): Searched {
  const { space } = f;
  const sampler = samplerNamed(method, { space, seed });
  const search = study({ space, sampler, goals: [{ name: "value", better: "lower" }], trials, window, seed });
  const points: Configuration[] = [];
  const seen: number[] = [];
  const late = Math.floor(trials * 0.9);
  let spent = 0;
  for (;;) {
    const begun = performance.now();
    const proposal = search.ask();
    const took = performance.now() - begun;
    if (seen.length >= late) spent += took;
    if (proposal.kind === "done") break;
    if (proposal.kind === "candidate") {
      points.push(proposal.candidate);
      continue;
    }
    const value = (f.seen ?? f.value)(points[seen.length]);
    const telling = performance.now();
    search.tell({ ok: true, value }, seen.length);
    if (seen.length >= late) spent += performance.now() - telling;
    seen.push(value);
  }
  return { values: points.map(f.value), seen, lastMs: spent / Math.max(1, seen.length - late) };
}
