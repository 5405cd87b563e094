import { appendFileSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { writeDurably } from "@coppice/engine/files";
import type { Cost, StepName } from "../contract.ts";
import { RepositoryLock } from "../git/repository-lock.ts";
import { addCost, NO_COST } from "./reported-cost.ts";

/** Type of the failure of a step that was not started, because it would have broken the budget: it stops the run. */
export const BUDGET_SPENT = "BudgetSpent";

class BudgetSpent extends Error {
  override readonly name = BUDGET_SPENT;
}

/** What may be spent in all; null for no limit. */
export interface Budget {
  readonly maxMoney: number | null;
  readonly maxTokens: number | null;
}

/** A step that was begun, or that has ended and said what it cost. */
interface Entry {
  readonly id: string;
  readonly step: StepName | "ideas";
  readonly cost?: Cost;
  /** It did not end well: that it cost nothing does not mean that the next one will. */
  readonly failed?: true;
}

/** A step that is about to be started. */
export interface Planned {
  readonly step: Entry["step"];
  /** What it says, by its configuration, when it has ended. */
  readonly states: readonly (keyof Cost)[];
  readonly budget: Budget;
  readonly signal?: AbortSignal;
}

/** What a step that has ended has cost. */
export interface Ended {
  readonly cost: Cost;
  readonly failed: boolean;
}

/**
 * What the steps of a run have spent and are about to spend, one line each, written by all workers: a step that would break
 * the budget is known before it is started. Attempts that were cut short are in it, too.
 */
export class Ledger {
  readonly #path: string;
  readonly #lock: RepositoryLock;

  constructor(runRoot: string) {
    this.#path = join(runRoot, "spending.ndjson");
    this.#lock = new RepositoryLock(join(runRoot, "spending.lock"));
  }

  /** Forgets steps that were begun by workers who are no more. Nobody else may be at work on the run. */
  settle(): void {
    const entries = this.#read();
    const ended = entries.filter(({ cost }) => cost !== undefined);
    if (ended.length < entries.length) writeDurably(this.#path, ended.map(lineOf).join(""));
  }

  /**
   * Runs a step and enters what it has cost, for a budget of this session or of a later one. Throws instead if, as dear as
   * the dearest of its name, it would break the budget, or if nothing is left and it states a price that nobody knows yet.
   * Until one that states its price has said it, only one of its name runs: the others wait here for as long as it takes.
   */
  async account<Value extends Ended>(planned: Planned, run: () => Promise<Value>): Promise<Value> {
    const { step, budget, signal } = planned;
    if (budget.maxMoney === null && budget.maxTokens === null) {
      const ended = await run();
      if (ended.cost.money > 0 || ended.cost.tokens > 0) this.#enter("", step, ended);
      return ended;
    }
    const entered = async (): Promise<Value> => {
      const id = await this.#begin(planned);
      const ended = await run();
      this.#enter(id, step, ended);
      return ended;
    };
    if (!isPriceAwaited(planned, this.#read())) return entered();
    // Whoever holds it and dies gives it back.
    const first = new RepositoryLock(`${this.#path}.${step}.lock`);
    const alone = await first.hold(async () => (isPriceAwaited(planned, this.#read()) ? entered() : undefined), signal);
    return alone ?? entered();
  }

  async #begin({ step, budget, states }: Planned): Promise<string> {
    const id = crypto.randomUUID();
    await this.#lock.hold(() => {
      const refusal = refusalOf(step, this.#read(), budget, states);
      if (refusal !== undefined) throw new BudgetSpent(refusal);
      appendFileSync(this.#path, lineOf({ id, step }));
    });
    return id;
  }

  #enter(id: string, step: Entry["step"], { cost, failed }: Ended): void {
    appendFileSync(this.#path, lineOf({ id, step, cost, ...(failed && { failed }) }));
  }

  #read(): Entry[] {
    try {
      // Cast: nobody else writes there. A line that a crash or a full disk has cut short says nothing.
      return readFileSync(this.#path, "utf8").split("\n").flatMap(entryOf);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === "ENOENT") return [];
      throw error;
    }
  }
}

function lineOf(entry: Entry): string {
  return `${JSON.stringify(entry)}\n`;
}

function entryOf(line: string): Entry[] {
  try {
    return [JSON.parse(line) as Entry];
  } catch {
    return [];
  }
}

/** Whether a step states a price that counts, and none of its name has said it yet. */
function isPriceAwaited({ step, states, budget }: Planned, entries: readonly Entry[]): boolean {
  const limits = { money: budget.maxMoney, tokens: budget.maxTokens };
  return states.some((kind) => limits[kind] !== null && !isPriceKnown(step, kind, entries));
}

function isPriceKnown(step: Entry["step"], kind: keyof Cost, entries: readonly Entry[]): boolean {
  return entries.some(
    (entry) => entry.step === step && entry.cost !== undefined && (entry.cost[kind] > 0 || !entry.failed),
  );
}

function refusalOf(
  step: Entry["step"],
  entries: readonly Entry[],
  { maxMoney, maxTokens }: Budget,
  states: readonly (keyof Cost)[],
): string | undefined {
  const dearest = new Map<string, Cost>();
  const open = new Map<string, Entry>();
  let spent = NO_COST;
  for (const entry of entries) {
    const { id, cost } = entry;
    if (cost === undefined) open.set(id, entry);
    else {
      open.delete(id);
      spent = addCost(spent, cost);
      const { money, tokens } = dearest.get(entry.step) ?? NO_COST;
      dearest.set(entry.step, { money: Math.max(money, cost.money), tokens: Math.max(tokens, cost.tokens) });
    }
  }
  const expected = dearest.get(step) ?? NO_COST;
  const underWay = [...open.values()].reduce((sum, each) => addCost(sum, dearest.get(each.step) ?? NO_COST), NO_COST);
  const breaks = (kind: keyof Cost, limit: number | null): boolean => {
    if (limit === null) return false;
    if (expected[kind] === 0)
      return states.includes(kind) && !isPriceKnown(step, kind, entries) && spent[kind] >= limit;
    // Sums of money are a little off in the last digits.
    return spent[kind] + underWay[kind] + expected[kind] > limit * (1 + 1e-9);
  };
  const said = (kind: keyof Cost, limit: number | null, what: string): string => {
    const others = underWay[kind] === 0 ? "" : `, ${figure(underWay[kind])} may be under way`;
    const next = expected[kind] === 0 ? "" : `, and ${step} has cost up to ${figure(expected[kind])}`;
    return `${figure(spent[kind])} of ${limit} ${what}${others}${next}`;
  };
  if (breaks("money", maxMoney)) return said("money", maxMoney, "spent");
  return breaks("tokens", maxTokens) ? said("tokens", maxTokens, "tokens used") : undefined;
}

function figure(value: number): number {
  return Number(value.toPrecision(12));
}
