import type { Random } from "@coppice/engine";

/** What an attack did. Everything but `tries` is zero where the promises hold. */
export interface Toll {
  /** Faults that struck. */
  readonly tries: number;
  /** Outcomes that were safe and are gone, or runs that can no longer go on. */
  readonly lost: number;
  /** Evaluations that were completed and ran again; of a cluster, where that may happen, outcomes told or written twice. */
  readonly repeated: number;
  /** Answers that are not those of an undisturbed run, without anything that says so. */
  readonly wrong: number;
  /** Processes of a run that lived on after it had ended. */
  readonly left: number;
  /** Keys of runs that had ended, still in a Redis. */
  readonly keys: number;
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
  /** Called with a line now and then by attacks that take long. */
  readonly progress: (line: string) => void;
}

export interface Attack {
  readonly name: string;
  /** What is done to runs, in one line. */
  readonly summary: string;
  /** What it does not promise, and documentation says so. */
  readonly except?: string;
  /** What it looks for; {@link usualMeasures} if absent. Of the rest it cannot tell. */
  readonly measures?: readonly HarmKind[];
  /** Its part of all faults, compared with the other attacks. */
  readonly share: number;
  /** How many faults when it is the only one chosen and nobody says how many: for attacks whose faults take long. */
  readonly alone?: number;
  /** Why it cannot be made on this system, if so. */
  readonly impossible?: () => string | undefined;
  readonly strike: (orders: AttackOrders) => Promise<Toll>;
}

/** Ways in which a run can come to harm. */
export type HarmKind = Exclude<keyof Toll, "tries" | "problems">;

/** What can be looked for where there is no Redis. */
export const usualMeasures: readonly HarmKind[] = ["lost", "repeated", "wrong", "left"];

type Harm = Partial<Omit<Toll, "tries" | "problems">>;

/** A toll that is being counted. */
export class TollCount {
  #toll = { tries: 0, lost: 0, repeated: 0, wrong: 0, left: 0, keys: 0 };
  readonly #problems: string[] = [];

  struck(tries = 1): void {
    this.#toll.tries += tries;
  }

  /** Counts what was done, if anything was, with a line that says how to find it. */
  harm(harm: Harm, line: string): void {
    const { lost = 0, repeated = 0, wrong = 0, left = 0, keys = 0 } = harm;
    if (lost + repeated + wrong + left + keys === 0) return;
    this.#toll.lost += lost;
    this.#toll.repeated += repeated;
    this.#toll.wrong += wrong;
    this.#toll.left += left;
    this.#toll.keys += keys;
    this.#problems.push(`${line} (${JSON.stringify(harm)})`);
  }

  get tries(): number {
    return this.#toll.tries;
  }

  toll(): Toll {
    return { ...this.#toll, problems: this.#problems };
  }
}
