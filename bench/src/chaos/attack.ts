import type { Random } from "@coppice/engine";

/** What an attack did. Everything but `tries` is zero where the promises hold. */
export interface Toll {
  /** Faults that struck. */
  readonly tries: number;
  /** Outcomes that were safe and are gone, or runs that can no longer go on. */
  readonly lost: number;
  /** Evaluations that were completed and ran again. */
  readonly repeated: number;
  /** Answers that are not those of an undisturbed run, without anything that says so. */
  readonly wrong: number;
  /** Processes of a run that lived on after it had ended. */
  readonly left: number;
  /** A line for each of these, with what is needed to look into it. */
  readonly problems: readonly string[];
}

interface AttackOrders {
  /** How many faults to strike with; an attack may need a few more to come to its end. */
  readonly faults: number;
  /** The attack's own numbers: the same seed strikes the same places. */
  readonly draw: Random;
  /** An empty folder of its own. */
  readonly place: string;
}

export interface Attack {
  readonly name: string;
  /** What is done to runs, in one line. */
  readonly summary: string;
  /** What it does not promise, and documentation says so. */
  readonly except?: string;
  /** What it looks for; everything if absent. Of the rest it cannot tell. */
  readonly measures?: readonly HarmKind[];
  /** Its part of all faults, compared with the other attacks. */
  readonly share: number;
  /** Why it cannot be made on this system, if so. */
  readonly impossible?: () => string | undefined;
  readonly strike: (orders: AttackOrders) => Promise<Toll>;
}

/** Ways in which a run can come to harm. */
export type HarmKind = Exclude<keyof Toll, "tries" | "problems">;

type Harm = Partial<Omit<Toll, "tries" | "problems">>;

/** A toll that is being counted. */
export class TollCount {
  #toll = { tries: 0, lost: 0, repeated: 0, wrong: 0, left: 0 };
  readonly #problems: string[] = [];

  struck(tries = 1): void {
    this.#toll.tries += tries;
  }

  /** Counts what was done, if anything was, with a line that says how to find it. */
  harm(harm: Harm, line: string): void {
    const { lost = 0, repeated = 0, wrong = 0, left = 0 } = harm;
    if (lost + repeated + wrong + left === 0) return;
    this.#toll.lost += lost;
    this.#toll.repeated += repeated;
    this.#toll.wrong += wrong;
    this.#toll.left += left;
    this.#problems.push(`${line} (${JSON.stringify(harm)})`);
  }

  get tries(): number {
    return this.#toll.tries;
  }

  toll(): Toll {
    return { ...this.#toll, problems: this.#problems };
  }
}
