import { type Outcome, type Proposal, start, threads } from "@coppice/engine";
import { defineEvaluator } from "@coppice/engine/evaluator";

// What is expensive. Every worker loads this module.
export default defineEvaluator({ evaluate: (_state, x: number) => Math.sin(3 * x) * Math.exp(-((x - 2) ** 2)) });

// What to try next. It never sees a clock, a worker or the order in which results arrive.
class BestOf1000 {
  #asked = 0;
  #told = 0;
  #best = { x: Number.NaN, y: Number.NEGATIVE_INFINITY };
  ask(): Proposal<number> {
    if (this.#asked === 1000) return { kind: this.#told === 1000 ? "done" : "wait" };
    return { kind: "candidate", candidate: this.#asked / 250, key: String(this.#asked++) };
  }
  tell(outcome: Outcome<number>, ask: number): void {
    this.#told++;
    if (outcome.ok && outcome.value > this.#best.y) this.#best = { x: ask / 250, y: outcome.value };
  }
  result = () => this.#best;
}

if (import.meta.main) {
  const run = await start({ search: new BestOf1000(), evaluator: import.meta.url, pool: threads({ workers: 4 }) });
  console.log(await run.finished); // the result, and a digest that no pool, worker count or crash changes
}
