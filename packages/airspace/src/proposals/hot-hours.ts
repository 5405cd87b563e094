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
    const { binCount, volumeIds } = this.#instance;
    const runs: HotRun[] = [];
    for (let volume = 0; volume < volumeIds.length; volume++) {
      if (this.#evaluator.exceedanceOf(volume) === 0) continue;
      let fromBin = -1;
      let excess = 0;
      let worst = 0;
      for (let bin = 0; bin <= binCount; bin++) {
        const over = bin < binCount ? this.#evaluator.over(volume, bin) : 0;
        if (over > 0) {
          if (fromBin < 0) fromBin = bin;
          excess += over;
          if (over > worst) worst = over;
        } else if (fromBin >= 0) {
          runs.push({ volume, fromBin, toBin: bin, excess, worst });
          fromBin = -1;
          excess = 0;
          worst = 0;
        }
      }
    }
    return runs;
  }
}
