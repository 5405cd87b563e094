import { wholeCapacity } from "../../instance/instance.ts";

/**
 * Several draws of a day's capacity, each different row of a volume once. The first rows are the volumes' own, by volume;
 * the others follow, [extraAt[v], extraAt[v + 1]) those of volume v.
 */
export interface CapacityRows {
  /** For [row * binCount + bin]. */
  readonly limits: Float64Array;
  /** In how many draws the volume has this row. */
  readonly weight: Int32Array;
  readonly extraAt: Int32Array;
}

/** `draws[d][volume * binCount + bin]`, flights per rolling hour; Infinity means no limit. */
export function capacityRows(draws: readonly Float64Array[], binCount: number): CapacityRows {
  const whole = draws.map((draw) => draw.map(wholeCapacity));
  const volumeCount = whole[0].length / binCount;
  const own: { readonly limits: Float64Array; weight: number }[] = [];
  const extra: typeof own = [];
  const extraAt = new Int32Array(volumeCount + 1).fill(volumeCount);
  for (let volume = 0; volume < volumeCount; volume++) {
    const found: typeof own = [];
    for (const draw of whole) {
      const limits = draw.subarray(volume * binCount, (volume + 1) * binCount);
      const known = found.find((row) => row.limits.every((limit, bin) => limit === limits[bin]));
      if (known === undefined) found.push({ limits, weight: 1 });
      else known.weight++;
    }
    own.push(found[0]);
    extra.push(...found.slice(1));
    extraAt[volume + 1] = volumeCount + extra.length;
  }
  const rows = [...own, ...extra];
  const limits = new Float64Array(rows.length * binCount);
  rows.forEach((row, at) => {
    limits.set(row.limits, at * binCount);
  });
  return { limits, weight: Int32Array.from(rows, ({ weight }) => weight), extraAt };
}
