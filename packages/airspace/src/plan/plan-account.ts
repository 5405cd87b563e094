import { type Instance, wholeCapacity } from "../instance/instance.ts";
import { namesOf } from "../instance/names.ts";
import type { NetworkScore } from "../network/network-score.ts";
import type { Plan, Regulation } from "../network/regulation.ts";
import { type ScratchResult, scoreFromScratch } from "../network/score-from-scratch.ts";
import type { Weights } from "../network/weights.ts";

/** What one line of a plan does where it is, added to the lines before it; over all lines these sum to what the plan does. */
interface LineAccount {
  readonly regulation: Regulation;
  /** Flights it delays further than the lines before it. */
  readonly flightsDelayed: number;
  readonly delayMinutes: number;
  /** Departure airports of these flights with their minutes, most first; `delayMinutes` in all. */
  readonly origins: readonly MinutesAt[];
  /** Flights above capacity at its volume over the whole day, before and after this line. */
  readonly exceedanceBefore: number;
  readonly exceedanceAfter: number;
  /** Change of the network objective when this line is added to those before it. */
  readonly delta: number;
}

/** What a plan does to the network, and each of its lines at its own volume. */
export interface PlanAccount<Line = LineAccount> {
  readonly before: NetworkScore;
  readonly after: NetworkScore;
  readonly lines: readonly Line[];
  /** Delay of each flight, and entries per rolling hour, without and with the plan. */
  readonly traffic: { readonly before: ScratchResult; readonly after: ScratchResult };
}

/** Applies a plan line by line and notes what each does. */
export function accountFor(instance: Instance, plan: Plan, weights: Weights): PlanAccount {
  const steps = [...Array(plan.length + 1).keys()].map((length) =>
    scoreFromScratch(instance, plan.slice(0, length), weights),
  );
  const lines = plan.map((regulation, k): LineAccount => {
    const [before, after] = [steps[k], steps[k + 1]];
    const extra = after.delayMinutes.map((minutes, f) => minutes - before.delayMinutes[f]);
    return {
      regulation,
      flightsDelayed: extra.reduce((count, minutes) => (minutes > 0 ? count + 1 : count), 0),
      delayMinutes: extra.reduce((sum, minutes) => sum + minutes, 0),
      origins: minutesByOrigin(instance, extra),
      exceedanceBefore: exceedanceAt(instance, regulation.volume, before.hourCount),
      exceedanceAfter: exceedanceAt(instance, regulation.volume, after.hourCount),
      delta: after.score.objective - before.score.objective,
    };
  });
  const [first, last] = [steps[0], steps[plan.length]];
  return { before: first.score, after: last.score, lines, traffic: { before: first, after: last } };
}

/** Minutes at one airport. */
export interface MinutesAt {
  readonly airport: string;
  readonly minutes: number;
}

/** Minutes of flights summed by the airport they depart from, most first; airports without any are left out. */
export function minutesByOrigin(instance: Instance, minutesOf: Int32Array): MinutesAt[] {
  const sums = new Map<string, number>();
  minutesOf.forEach((minutes, f) => {
    if (minutes === 0) return;
    const airport = instance.airports[instance.flightOrigin[f]] ?? "unknown";
    sums.set(airport, (sums.get(airport) ?? 0) + minutes);
  });
  return [...sums]
    .filter(([, minutes]) => minutes !== 0)
    .map(([airport, minutes]) => ({ airport, minutes }))
    .sort((a, b) => b.minutes - a.minutes || (a.airport < b.airport ? -1 : 1));
}

/** Flights above capacity at a volume over the whole day. */
function exceedanceAt(instance: Instance, volume: number, hourCount: Int32Array): number {
  let sum = 0;
  for (let cell = volume * instance.binCount; cell < (volume + 1) * instance.binCount; cell++) {
    sum += Math.max(0, hourCount[cell] - wholeCapacity(instance.capacity[cell]));
  }
  return sum;
}

/** What one regulation is good for: the plan with it against the plan without it. */
export interface Explained extends LineAccount {
  /** Change of the network objective when only this regulation is left out; above 0 it is worth having. */
  readonly worth: number;
  /** Minutes of delay in all when only this regulation is left out, less than with it; lines after it may then delay more. */
  readonly minutesSavedWithout: number;
  /** Flights above capacity that it takes away, by volume, most first. */
  readonly protects: readonly VolumeChange[];
  /** Flights above capacity that it causes elsewhere, by volume, most first. */
  readonly pushes: readonly VolumeChange[];
}

export interface VolumeChange {
  readonly volume: string;
  readonly name: string;
  readonly flights: number;
}

/** Leaves out one regulation at a time and notes what changes. */
export function explainPlan(instance: Instance, plan: Plan, weights: Weights): PlanAccount<Explained> {
  const account = accountFor(instance, plan, weights);
  const whole = account.traffic.after;
  const { volumes: names } = namesOf(instance);
  const excess = excessByVolume(instance, whole.hourCount);
  const lines = account.lines.map((line, k): Explained => {
    const without = scoreFromScratch(instance, plan.toSpliced(k, 1), weights);
    const changes = excessByVolume(instance, without.hourCount).map((flights, v) => ({
      volume: instance.volumeIds[v],
      name: names[v],
      flights: flights - excess[v],
    }));
    return {
      ...line,
      worth: without.score.objective - whole.score.objective,
      minutesSavedWithout: whole.score.delayMinutes - without.score.delayMinutes,
      protects: changes.filter(({ flights }) => flights > 0).sort((a, b) => b.flights - a.flights),
      pushes: changes
        .filter(({ flights }) => flights < 0)
        .map(({ flights, ...volume }) => ({ ...volume, flights: -flights }))
        .sort((a, b) => b.flights - a.flights),
    };
  });
  return { ...account, lines };
}

/** Flights above capacity over the whole day, volume by volume. */
function excessByVolume(instance: Instance, hourCount: Int32Array): number[] {
  return instance.volumeIds.map((_, volume) => exceedanceAt(instance, volume, hourCount));
}
