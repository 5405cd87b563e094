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
  /** All lines, the oldest first; their texts; and the same lines by volume. */
  readonly #lines: Regulation[] = [];
  readonly #known = new Set<string>();
  readonly #byVolume = new Map<number, Regulation[]>();
  readonly #plans: Plan[] = [];

  constructor(limits: MemoryLimits = usualLimits) {
    this.#limits = limits;
  }

  /** Different regulations that are remembered. */
  get lineCount(): number {
    return this.#lines.length;
  }

  /** All regulations that are remembered, the oldest first. */
  get lines(): readonly Regulation[] {
    return this.#lines;
  }

  /** All plans that are remembered as a whole, the oldest first. */
  get plans(): readonly Plan[] {
    return this.#plans;
  }

  addLines(lines: readonly Regulation[]): void {
    for (const line of lines) {
      const key = lineKey(line);
      if (this.#known.has(key)) continue;
      this.#known.add(key);
      this.#lines.push(line);
      const ofVolume = this.#byVolume.get(line.volume);
      if (ofVolume === undefined) this.#byVolume.set(line.volume, [line]);
      else ofVolume.push(line);
    }
    for (const oldest of this.#lines.splice(0, Math.max(0, this.#lines.length - this.#limits.lines))) {
      this.#known.delete(lineKey(oldest));
      this.#byVolume.get(oldest.volume)?.shift();
    }
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
    const ofVolume = this.#byVolume.get(line.volume) ?? [];
    // Counted, then found, because a list of them would be made for every edit of this kind.
    let others = 0;
    for (const other of ofVolume) if (overlaps(other, line)) others++;
    if (others === 0) return undefined;
    let left = random.integer(0, others - 1);
    return ofVolume.find((other) => overlaps(other, line) && left-- === 0);
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
}

function overlaps(other: Regulation, line: Regulation): boolean {
  return other.fromBin < line.toBin && line.fromBin < other.toBin && !sameRegulation(other, line);
}

function changed(plan: Plan, other: Plan): Plan | undefined {
  return plan.length === other.length && plan.every((line, at) => sameRegulation(line, other[at])) ? undefined : other;
}

/** A regulation as text; equal ones have equal texts. */
export function lineKey({ volume, fromBin, toBin, flows, ratePerHour }: Regulation): string {
  return `${volume} ${fromBin} ${toBin} ${flows} ${ratePerHour}`;
}
