import type { RateVector } from "@coppice/airspace";
import { random } from "@coppice/engine";

/**
 * Distinct rate vectors in the order a search meets them: `sweep` rates of one flow, then of the next, the others
 * staying as they are. With a sweep of 1 and `all`, every vector differs from the last in every flow.
 */
export function distinctVectors(
  flowCount: number,
  count: number,
  seed: number,
  walk: "one flow at a time" | "all flows" = "one flow at a time",
): RateVector[] {
  const dice = random(seed).at("vectors");
  const seen = new Set<string>();
  const vectors: RateVector[] = [];
  const current = Array.from({ length: flowCount }, () => dice.integer(4, 60));
  for (let tried = 0; vectors.length < count; tried++) {
    if (walk === "all flows") for (let flow = 0; flow < flowCount; flow++) current[flow] = dice.integer(4, 60);
    else current[Math.floor(tried / SWEEP) % flowCount] = dice.integer(4, 60);
    const key = current.join();
    if (seen.has(key)) continue;
    seen.add(key);
    vectors.push([...current]);
  }
  return vectors;
}

/** Rates tried per flow before the next, as many as the default grid has. */
const SWEEP = 8;
