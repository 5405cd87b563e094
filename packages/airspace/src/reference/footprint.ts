import type { Instance } from "../instance/instance.ts";

/** Volumes along a flight's path in order of entry, repeats merged, up to and including the first visit to `until`. */
export function footprintOf(instance: Instance, flight: number, until: number | undefined): number[] {
  const path: number[] = [];
  for (let visit = instance.visitOffset[flight]; visit < instance.visitOffset[flight + 1]; visit++) {
    const volume = instance.visitVolume[visit];
    if (path.at(-1) !== volume) path.push(volume);
    if (volume === until) break;
  }
  return path;
}

/** |a ∩ b| ÷ |a ∪ b| in single precision; 0 for two empty sets. */
export function jaccard(a: ReadonlySet<number>, b: ReadonlySet<number>): number {
  const shared = a.intersection(b).size;
  const all = a.size + b.size - shared;
  return all === 0 ? 0 : Math.fround(shared / all);
}
