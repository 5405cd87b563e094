import { type Instance, median, roundHalfEven } from "../../instance/instance.ts";
import type { Entrant } from "./controlled-flows.ts";
import { binOfSecond, secondOfDay } from "./day-clock.ts";
import type { Cell, PublishedWeights } from "./published-weights.ts";

/** Cells that matter more than the rest of the day. A cell in both lists is a target. */
export interface Attention {
  readonly targets: readonly Cell[];
  readonly ripples: readonly Cell[];
}

/** Price per flight above capacity for every bin of one volume, in single precision as published. */
export function exceedancePrices(
  volume: number,
  attention: Attention,
  weights: PublishedWeights,
  binCount: number,
): Float32Array {
  const prices = new Float32Array(binCount).fill(weights.alphaContext);
  for (const cell of attention.ripples) if (cell.volume === volume) prices[cell.bin] = weights.alphaRipple;
  for (const cell of attention.targets) if (cell.volume === volume) prices[cell.bin] = weights.alphaTarget;
  return prices;
}

/** Prices of a flow's release profile per bin, in single precision as published. */
export interface ProfilePrices {
  readonly beta: Float32Array;
  readonly gamma: Float32Array;
}

/**
 * Prices a flow's profile by the class of what its releases reach: bin t belongs to a class when bin `t - offset` of an
 * attention volume does, where the offset is how long the flow's flights take to get there. (The published
 * documentation says `t + offset`; its numbers come from minus.)
 */
export function profilePrices(
  instance: Instance,
  requests: readonly Entrant[],
  attention: Attention,
  weights: PublishedWeights,
): ProfilePrices {
  const beta = new Float32Array(instance.binCount).fill(weights.betaContext);
  const gamma = new Float32Array(instance.binCount).fill(weights.gammaContext);
  const mark = (cells: readonly Cell[], betaPrice: number, gammaPrice: number) => {
    for (const [volume, bins] of byVolume(cells)) {
      const offset = flowOffset(instance, requests, volume);
      for (const bin of widened(bins, weights.classToleranceBins, instance.binCount)) {
        const t = bin + offset;
        if (t < 0 || t >= instance.binCount) continue;
        beta[t] = betaPrice;
        gamma[t] = gammaPrice;
      }
    }
  };
  mark(attention.ripples, weights.betaRipple, weights.gammaRipple);
  mark(attention.targets, weights.betaTarget, weights.gammaTarget);
  return { beta, gamma };
}

/** Median over requests of (earliest file bin of the flight at the volume - clock bin of the request); 0 if none gets there. */
function flowOffset(instance: Instance, requests: readonly Entrant[], volume: number): number {
  const offsets: number[] = [];
  for (const { flight, second } of requests) {
    const earliest = earliestBin(instance, flight, volume);
    if (earliest !== undefined) offsets.push(earliest - binOfSecond(secondOfDay(second), instance));
  }
  return offsets.length === 0 ? 0 : roundHalfEven(median(offsets));
}

function earliestBin(instance: Instance, flight: number, volume: number): number | undefined {
  let earliest: number | undefined;
  for (let visit = instance.visitOffset[flight]; visit < instance.visitOffset[flight + 1]; visit++) {
    const bin = instance.indexBin[visit];
    if (instance.visitVolume[visit] === volume && (earliest === undefined || bin < earliest)) earliest = bin;
  }
  return earliest;
}

function byVolume(cells: readonly Cell[]): Map<number, Set<number>> {
  const volumes = new Map<number, Set<number>>();
  for (const { volume, bin } of cells) {
    const bins = volumes.get(volume);
    if (bins === undefined) volumes.set(volume, new Set([bin]));
    else bins.add(bin);
  }
  return volumes;
}

function widened(bins: ReadonlySet<number>, tolerance: number, binCount: number): Set<number> {
  const wider = new Set<number>();
  for (const bin of bins) {
    for (let b = Math.max(0, bin - tolerance); b <= Math.min(binCount - 1, bin + tolerance); b++) wider.add(b);
  }
  return wider;
}
