/** What happens to requests that the release profile leaves over at the end of the day. */
export type Spill =
  /** All in the first bin after the profile's last release. */
  | { readonly mode: "dump_to_next_bin" }
  /** One per bin from there on. */
  | { readonly mode: "one_per_spill_bin" }
  /** A token bucket at this hourly rate; per flow, with `default` for flows that are not named. */
  | {
      readonly mode: "defined_release_rate_for_spills";
      readonly ratePerHour: number | Readonly<Record<string, number>>;
    }
  /** A token bucket at the profile's own mean rate between its first and last release. */
  | { readonly mode: "same_release_rate_for_spills" }
  /** At most as many as the profile's overflow slot allows, in the first bin of the next day; the others get no delay at all. */
  | { readonly mode: "overflow_bin" };

/**
 * Bins in which `count` left-over requests of a flow are released, in order; shorter than `count` when some are dropped.
 * `profile` has one slot per bin and the overflow slot last.
 */
export function spillBins(
  spill: Spill,
  flow: string,
  count: number,
  profile: ArrayLike<number>,
  spillStart: number,
  binMinutes: number,
): number[] {
  const binCount = profile.length - 1;
  switch (spill.mode) {
    case "dump_to_next_bin":
      return new Array<number>(count).fill(spillStart);
    case "one_per_spill_bin":
      return onePerBin(count, spillStart);
    case "overflow_bin":
      return new Array<number>(Math.min(count, Math.max(0, profile[binCount]))).fill(binCount);
    case "defined_release_rate_for_spills":
      return tokenBucket(count, spillStart, (definedRate(spill.ratePerHour, flow) * binMinutes) / 60);
    case "same_release_rate_for_spills": {
      const perBin = meanRelease(profile, binCount);
      return perBin > 0 ? tokenBucket(count, spillStart, perBin) : onePerBin(count, spillStart);
    }
  }
}

function onePerBin(count: number, start: number): number[] {
  return Array.from({ length: count }, (_, i) => start + i);
}

function tokenBucket(count: number, start: number, tokensPerBin: number): number[] {
  const bins: number[] = [];
  let tokens = 0;
  for (let bin = start; bins.length < count; bin++) {
    tokens += tokensPerBin;
    const released = Math.min(Math.floor(tokens), count - bins.length);
    for (let i = 0; i < released; i++) bins.push(bin);
    tokens -= released;
  }
  return bins;
}

function definedRate(rate: number | Readonly<Record<string, number>>, flow: string): number {
  const value = typeof rate === "number" ? rate : (rate[flow] ?? rate.default);
  if (value === undefined || !(value > 0)) {
    throw new RangeError(`spill of flow ${flow}: needs a release rate above 0, got ${value}`);
  }
  return value;
}

/** Mean of the profile between its first and last positive bin, per bin; 0 for a profile without releases. */
function meanRelease(profile: ArrayLike<number>, binCount: number): number {
  let first = -1;
  let last = -1;
  for (let t = 0; t < binCount; t++) {
    if (profile[t] <= 0) continue;
    if (first === -1) first = t;
    last = t;
  }
  if (first === -1) return 0;
  let sum = 0;
  for (let t = first; t <= last; t++) sum += profile[t];
  return sum / (last - first + 1);
}
