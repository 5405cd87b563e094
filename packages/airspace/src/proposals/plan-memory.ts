import type { Random } from "@coppice/engine/evaluator";
import { type Plan, type Regulation, sameRegulation } from "../network/regulation.ts";

/** How much is remembered at most; the oldest is forgotten. */
export interface MemoryLimits {
  readonly lines: number;
  readonly plans: number;
}

const usualLimits: MemoryLimits = { lines: 2000, plans: 300 };

/** Regulations and plans that were worth something while a search went on, to be tried again elsewhere. */
export class PlanMemory {
  readonly #limits: MemoryLimits;
  readonly #lines = new Map<string, Regulation>();
  /** All lines in their order, and those of each volume; undefined when there are others. */
  #ordered: Ordered | undefined;
  readonly #plans: Plan[] = [];

  constructor(limits: MemoryLimits = usualLimits) {
    this.#limits = limits;
  }

  /** Different regulations that are remembered. */
  get lineCount(): number {
    return this.#lines.size;
  }

  /** All regulations that are remembered, the oldest first. */
  get lines(): readonly Regulation[] {
    return this.#inOrder().all;
  }

  /** All plans that are remembered as a whole, the oldest first. */
  get plans(): readonly Plan[] {
    return this.#plans;
  }

  addLines(lines: readonly Regulation[]): void {
    for (const line of lines) this.#lines.set(lineKey(line), line);
    for (const oldest of this.#lines.keys()) {
      if (this.#lines.size <= this.#limits.lines) break;
      this.#lines.delete(oldest);
    }
    this.#ordered = undefined;
  }

  /** Remembers a plan as a whole, and its lines. */
  addPlan(plan: Plan): void {
    this.addLines(plan);
    this.addWhole([plan]);
  }

  /** Remembers plans as a whole, without their lines. */
  addWhole(plans: readonly Plan[]): void {
    this.#plans.push(...plans);
    if (this.#plans.length > this.#limits.plans) this.#plans.splice(0, this.#plans.length - this.#limits.plans);
  }

  /** Any remembered regulation. */
  line(random: Random): Regulation {
    return random.choice(this.lines);
  }

  /** A remembered regulation of the same volume whose window overlaps the line's: other rate, bins and flows that fitted together. */
  otherLine(line: Regulation, random: Random): Regulation | undefined {
    const others = (this.#inOrder().byVolume.get(line.volume) ?? []).filter(
      (other) => other.fromBin < line.toBin && line.fromBin < other.toBin && !sameRegulation(other, line),
    );
    return others.length === 0 ? undefined : random.choice(others);
  }

  /** The plan with all lines of one volume as a remembered plan had them, be it more, fewer or none. */
  restored(plan: Plan, random: Random): Plan | undefined {
    if (this.#plans.length === 0) return undefined;
    const from = random.choice(this.#plans);
    const either = random.uniform() < 0.5 ? plan : from;
    if (either.length === 0) return undefined;
    const { volume } = random.choice(either);
    const kept = plan.filter((line) => line.volume !== volume);
    const back = from.filter((line) => line.volume === volume);
    const first = plan.findIndex((line) => line.volume === volume);
    if (first >= 0) return changed(plan, kept.toSpliced(first, 0, ...back));
    // Nothing there so far: about as early or late as they were.
    let restored: Plan = kept;
    for (const line of back) {
      restored = restored.toSpliced(Math.round((from.indexOf(line) / from.length) * restored.length), 0, line);
    }
    return changed(plan, restored);
  }

  #inOrder(): Ordered {
    if (this.#ordered === undefined) {
      const all = [...this.#lines.values()];
      this.#ordered = { all, byVolume: Map.groupBy(all, ({ volume }) => volume) };
    }
    return this.#ordered;
  }
}

interface Ordered {
  readonly all: readonly Regulation[];
  readonly byVolume: ReadonlyMap<number, readonly Regulation[]>;
}

function changed(plan: Plan, other: Plan): Plan | undefined {
  return plan.length === other.length && plan.every((line, at) => sameRegulation(line, other[at])) ? undefined : other;
}

/** A regulation as text; equal ones have equal texts. */
export function lineKey({ volume, fromBin, toBin, flows, ratePerHour }: Regulation): string {
  return `${volume} ${fromBin} ${toBin} ${flows} ${ratePerHour}`;
}
