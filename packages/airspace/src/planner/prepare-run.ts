import { hash } from "node:crypto";
import { encodeInstance } from "../instance/artifact.ts";
import type { Instance } from "../instance/instance.ts";
import type { Weights } from "../network/weights.ts";
import type { PlannerOptions } from "./planner-options.ts";
import { RootSearch } from "./root-search.ts";

/** Everything the engine needs to plan a day: the search, its evaluator, the prices, and the day as shared bytes. */
export function preparePlanning(instance: Instance, weights: Weights, options: PlannerOptions, roots: number) {
  const bytes = encodeInstance(instance);
  const shared = new SharedArrayBuffer(bytes.length);
  new Uint8Array(shared).set(bytes);
  return {
    search: new RootSearch(options, roots),
    evaluator: new URL("./evaluator.ts", import.meta.url),
    context: weights,
    shared: { instance: shared },
    /** A run is resumed only on the same day. */
    inputs: hash("sha256", bytes),
  };
}
