import { type Instance, wholeCapacity } from "../instance/instance.ts";
import type { Plan, Regulation } from "../network/regulation.ts";
import { scoreFromScratch } from "../network/score-from-scratch.ts";
import type { Weights } from "../network/weights.ts";

/** What one regulation is good for: the plan with it against the plan without it. */
export interface Explained {
  readonly regulation: Regulation;
  /** Change of the network objective when only this regulation is left out; above 0 it is worth having. */
  readonly worth: number;
  /** Flights above capacity that it takes away, by volume, most first. */
  readonly protects: readonly VolumeChange[];
  /** Flights above capacity that it causes elsewhere, by volume, most first. */
  readonly pushes: readonly VolumeChange[];
  readonly flightsDelayed: number;
  readonly delayMinutes: number;
  /** Departure airports of the flights it delays most, with minutes. */
  readonly origins: readonly { readonly airport: string; readonly minutes: number }[];
}

interface VolumeChange {
  readonly volume: string;
  readonly flights: number;
}

/** Leaves out one regulation at a time and notes what changes. */
export function explainPlan(instance: Instance, plan: Plan, weights: Weights): Explained[] {
  const whole = scoreFromScratch(instance, plan, weights);
  const excess = excessByVolume(instance, whole.hourCount);
  return plan.map((regulation, k): Explained => {
    const without = scoreFromScratch(instance, plan.toSpliced(k, 1), weights);
    const changes = excessByVolume(instance, without.hourCount).map((flights, v) => ({
      volume: instance.volumeIds[v],
      flights: flights - excess[v],
    }));
    const minutesOf = new Map<string, number>();
    let flightsDelayed = 0;
    let delayMinutes = 0;
    whole.delayMinutes.forEach((minutes, f) => {
      const extra = minutes - without.delayMinutes[f];
      delayMinutes += extra;
      if (extra <= 0) return;
      flightsDelayed++;
      const airport = instance.airports[instance.flightOrigin[f]] ?? "unknown";
      minutesOf.set(airport, (minutesOf.get(airport) ?? 0) + extra);
    });
    return {
      regulation,
      worth: without.score.objective - whole.score.objective,
      protects: changes.filter(({ flights }) => flights > 0).sort((a, b) => b.flights - a.flights),
      pushes: changes
        .filter(({ flights }) => flights < 0)
        .map(({ volume, flights }) => ({ volume, flights: -flights }))
        .sort((a, b) => b.flights - a.flights),
      flightsDelayed,
      delayMinutes,
      origins: [...minutesOf]
        .map(([airport, minutes]) => ({ airport, minutes }))
        .sort((a, b) => b.minutes - a.minutes || (a.airport < b.airport ? -1 : 1)),
    };
  });
}

/** Flights above capacity over the whole day, volume by volume. */
function excessByVolume({ binCount, capacity, volumeIds }: Instance, hourCount: Int32Array): number[] {
  return volumeIds.map((_, v) => {
    let sum = 0;
    for (let cell = v * binCount; cell < (v + 1) * binCount; cell++) {
      sum += Math.max(0, hourCount[cell] - wholeCapacity(capacity[cell]));
    }
    return sum;
  });
}
