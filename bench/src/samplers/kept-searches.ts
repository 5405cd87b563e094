import { appendFileSync, existsSync, readFileSync } from "node:fs";
import { UsageError } from "@coppice/engine";

/** What the bench keeps of one search. */
export interface Measured {
  readonly regrets: readonly number[];
  readonly lastMs: number;
}

/** Which search: the method, how many are out, the function and the seed. */
export interface SearchName {
  readonly method: string;
  readonly window: number;
  readonly name: string;
  readonly seed: number;
}

const HEAD = "method,window,function,seed,trials,ms,regrets";

/** Searches that were made before, a line each, so that a bench of hours can be stopped and gone on with. */
export class KeptSearches {
  readonly #file: string | undefined;
  readonly #budgets: string;
  readonly #known = new Map<string, Measured>();

  constructor(file: string | undefined, budgets: readonly number[]) {
    this.#file = file;
    this.#budgets = budgets.join(" ");
    if (file === undefined || !existsSync(file)) return;
    const [head, ...lines] = readFileSync(file, "utf8").trimEnd().split("\n");
    if (head !== HEAD) throw new UsageError(`${file}: its first line is not ${HEAD}`);
    for (const line of lines) {
      const [method, window, name, seed, budgets, ms, regrets] = line.split(",");
      const of = { method, window: Number(window), name, seed: Number(seed) };
      this.#known.set(keyOf(of, budgets), { regrets: regrets.split(" ").map(Number), lastMs: Number(ms) });
    }
  }

  /** What is known of a search, or what it finds now. */
  async search(of: SearchName, make: () => Promise<Measured>): Promise<Measured> {
    const known = this.#known.get(keyOf(of, this.#budgets));
    if (known !== undefined || this.#file === undefined) return known ?? make();
    const { regrets, lastMs } = await make();
    if (!existsSync(this.#file)) appendFileSync(this.#file, `${HEAD}\n`);
    appendFileSync(this.#file, `${keyOf(of, this.#budgets)},${lastMs},${regrets.join(" ")}\n`);
    return { regrets, lastMs };
  }
}

function keyOf({ method, window, name, seed }: SearchName, budgets: string): string {
  return [method, window, name, seed, budgets].join(",");
}
