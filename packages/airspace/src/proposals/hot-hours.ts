import type { Instance } from "../instance/instance.ts";
import type { PlanEvaluator } from "../network/kernel/plan-evaluator.ts";
import type { Plan } from "../network/regulation.ts";

/** A run of bins above capacity under the plan so far. */
export interface HotRun {
  readonly volume: number;
  readonly fromBin: number;
  readonly toBin: number;
  readonly excess: number;
  /** The most flights above capacity in one of its rolling hours. */
  readonly worst: number;
}

/** Hotspots of the traffic as the kept plan delays it; found again only when another plan was kept. */
export class HotHours {
  readonly #evaluator: PlanEvaluator;
  readonly #instance: Instance;
  #plan: Plan | undefined;
  #runs: readonly HotRun[] = [];

  constructor(instance: Instance, evaluator: PlanEvaluator) {
    this.#instance = instance;
    this.#evaluator = evaluator;
  }

  /** Volume by volume, then by time. */
  runs(): readonly HotRun[] {
    if (this.#plan !== this.#evaluator.plan) {
      this.#plan = this.#evaluator.plan;
      this.#runs = this.#find();
    }
    return this.#runs;
  }

  #find(): HotRun[] {
    const evaluator = this.#evaluator;
    const { binCount, volumeIds } = this.#instance;
    const runs: HotRun[] = [];
    for (let volume = 0; volume < volumeIds.length; volume++) {
      if (evaluator.exceedanceOf(volume) === 0) continue;
      for (let fromBin = evaluator.nextOver(volume, 0); fromBin >= 0; ) {
        let excess = 0;
        let worst = 0;
        let toBin = fromBin;
        for (let over = evaluator.over(volume, toBin); over > 0; ) {
          excess += over;
          if (over > worst) worst = over;
          over = ++toBin < binCount ? evaluator.over(volume, toBin) : 0;
        }
        runs.push({ volume, fromBin, toBin, excess, worst });
        fromBin = evaluator.nextOver(volume, toBin);
      }
    }
    return runs;
  }
}
