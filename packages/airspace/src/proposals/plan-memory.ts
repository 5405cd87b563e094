import type { Random } from "@coppice/engine/evaluator";
import { type Plan, type Regulation, sameRegulation } from "../network/regulation.ts";

/** Regulations that are remembered at most; the oldest are forgotten. */
const MOST_LINES = 2000;

/** Whole plans that are remembered at most. */
const MOST_PLANS = 300;

/** Regulations and plans that were worth something while a search went on, to be tried again elsewhere. */
export class PlanMemory {
  readonly #lines = new Map<string, Regulation>();
  #all: readonly Regulation[] = [];
  #byVolume: ReadonlyMap<number, readonly Regulation[]> = new Map();
  readonly #plans: Plan[] = [];

  /** Different regulations that are remembered. */
  get lineCount(): number {
    return this.#all.length;
  }

  addLines(lines: readonly Regulation[]): void {
    for (const line of lines) this.#lines.set(lineKey(line), line);
    for (const oldest of this.#lines.keys()) {
      if (this.#lines.size <= MOST_LINES) break;
      this.#lines.delete(oldest);
    }
    this.#all = [...this.#lines.values()];
    this.#byVolume = Map.groupBy(this.#all, ({ volume }) => volume);
  }

  /** Remembers a plan as a whole, and its lines. */
  addPlan(plan: Plan): void {
    this.addLines(plan);
    this.#plans.push(plan);
    if (this.#plans.length > MOST_PLANS) this.#plans.shift();
  }

  /** Any remembered regulation. */
  line(random: Random): Regulation {
    return random.choice(this.#all);
  }

  /** A remembered regulation of the same volume whose window overlaps the line's: other rate, bins and flows that fitted together. */
  otherLine(line: Regulation, random: Random): Regulation | undefined {
    const others = (this.#byVolume.get(line.volume) ?? []).filter(
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
}

function changed(plan: Plan, other: Plan): Plan | undefined {
  return plan.length === other.length && plan.every((line, at) => sameRegulation(line, other[at])) ? undefined : other;
}

/** A regulation as text; equal ones have equal texts. */
export function lineKey({ volume, fromBin, toBin, flows, ratePerHour }: Regulation): string {
  return `${volume} ${fromBin} ${toBin} ${flows} ${ratePerHour}`;
}
