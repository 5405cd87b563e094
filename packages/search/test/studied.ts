import { type SamplerName, samplerNamed } from "../src/samplers/method.ts";
import type { SearchSpace } from "../src/space/search-space.ts";
import type { StudyOptions } from "../src/studies/study.ts";
import { study } from "../src/studies/study.ts";
import type { StudyResult } from "../src/studies/study-result.ts";
import type { Configuration } from "../src/tournament/parameter.ts";
import { runByHand } from "./by-hand.ts";

/** Runs a study of one value to be made small, or as `more` says, with nothing but a function. */
export function studied(
  method: SamplerName,
  space: SearchSpace,
  value: (point: Configuration, ask: number) => unknown,
  more: Partial<StudyOptions> = {},
): StudyResult {
  const { seed = 1 } = more;
  const search = study({
    space,
    goals: [{ name: "value", better: "lower" }],
    sampler: samplerNamed(method, { space, seed }),
    trials: 30,
    window: 4,
    seed,
    ...more,
  });
  return runByHand(search, value).result;
}
