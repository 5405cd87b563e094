import type { Plan } from "../../network/regulation.ts";
import { lineKey, type MemoryLimits, PlanMemory } from "../../proposals/plan-memory.ts";
import { packPlan, unpackPlan } from "./packed-plan.ts";

/**
 * What walkers of a population passed on their way, for all of them to draw from in the next round. It is made of
 * earlier outcomes alone, in walker order, so it is sent with a segment and never written down.
 */
export class SharedMemory {
  readonly #memory: PlanMemory;

  constructor(limits: MemoryLimits) {
    this.#memory = new PlanMemory(limits);
  }

  addLines(lines: Plan): void {
    this.#memory.addLines(lines);
  }

  addPlan(plan: Plan): void {
    this.#memory.addPlan(plan);
  }

  /** Numbers in brackets: all lines, then the places of each plan's lines among them. Made once per round. */
  text(): string {
    const places = new Map<string, number>();
    const lines: Plan[number][] = [];
    const placeOf = (line: Plan[number]): number => {
      const key = lineKey(line);
      const known = places.get(key);
      if (known !== undefined) return known;
      places.set(key, lines.length);
      return lines.push(line) - 1;
    };
    for (const line of this.#memory.lines) placeOf(line);
    const remembered = lines.length;
    const plans = this.#memory.plans.map((plan) => plan.map(placeOf));
    return JSON.stringify([remembered, packPlan(lines), ...plans]);
  }
}

/** The memory that a segment begins with. */
export function recall(text: string): PlanMemory {
  const memory = new PlanMemory();
  if (text === "") return memory;
  // Cast: texts are made by `SharedMemory` alone.
  const [remembered, packed, ...plans] = JSON.parse(text) as [number, number[], ...number[][]];
  const lines = unpackPlan(packed);
  memory.addLines(lines.slice(0, remembered));
  memory.addWhole(plans.map((plan) => plan.map((place) => lines[place])));
  return memory;
}
