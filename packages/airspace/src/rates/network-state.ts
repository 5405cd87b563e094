import type { Instance } from "../instance/instance.ts";
import { type FirstVisits, firstVisitsOf } from "../network/first-visits.ts";
import type { NetworkScore } from "../network/network-score.ts";
import type { Plan } from "../network/regulation.ts";
import { scoreFromScratch } from "../network/score-from-scratch.ts";
import type { Weights } from "../network/weights.ts";

/** The day as a plan leaves it. */
interface NetworkState {
  readonly score: NetworkScore;
  /** Per flight. */
  readonly delayMinutes: Int32Array;
  /** Entries per volume and bin. */
  readonly count: Int32Array;
  /** Flights that wanted to enter and that were let in, per line of the plan and bin. */
  readonly wanted: Int32Array;
  readonly released: Int32Array;
}

/** A day prepared for many regulations after few plans. */
export interface NetworkDay {
  readonly instance: Instance;
  readonly weights: Weights;
  /** Minutes after the start at which each visit begins, undelayed. */
  readonly entryMinute: Float64Array;
  readonly firstVisits: (volume: number) => FirstVisits;
  /** The state after a plan; remembered for as long as the plan itself is. */
  readonly after: (plan: Plan) => NetworkState;
}

export function networkDay(instance: Instance, weights: Weights): NetworkDay {
  const entryMinute = new Float64Array(instance.visitVolume.length);
  for (let flight = 0; flight < instance.flightIds.length; flight++) {
    for (let visit = instance.visitOffset[flight]; visit < instance.visitOffset[flight + 1]; visit++) {
      entryMinute[visit] = (instance.takeoffSecond[flight] + instance.entrySecond[visit]) / 60;
    }
  }
  const states = new WeakMap<Plan, NetworkState>();
  return {
    instance,
    weights,
    entryMinute,
    firstVisits: firstVisitsOf(instance),
    after: (plan) => {
      const known = states.get(plan);
      if (known !== undefined) return known;
      const { score, delayMinutes, wanted, released } = scoreFromScratch(instance, plan, weights);
      const count = countEntries(instance, entryMinute, delayMinutes);
      const state = { score, delayMinutes, count, wanted, released };
      states.set(plan, state);
      return state;
    },
  };
}

function countEntries(instance: Instance, entryMinute: Float64Array, delayMinutes: Int32Array): Int32Array {
  const { binCount, binMinutes, visitOffset, visitVolume } = instance;
  const count = new Int32Array(instance.volumeIds.length * binCount);
  for (let flight = 0; flight < instance.flightIds.length; flight++) {
    for (let visit = visitOffset[flight]; visit < visitOffset[flight + 1]; visit++) {
      const bin = Math.floor((entryMinute[visit] + delayMinutes[flight]) / binMinutes);
      if (bin >= 0 && bin < binCount) count[visitVolume[visit] * binCount + bin]++;
    }
  }
  return count;
}
