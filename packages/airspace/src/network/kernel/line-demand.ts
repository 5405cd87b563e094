import type { Instance } from "../../instance/instance.ts";
import type { Plan } from "../regulation.ts";
import type { KeptLines } from "./kept-lines.ts";

/** Flights that wanted to enter at a plan's lines and that were let in, for [line * binCount + bin]; it was served and noted. */
export function countDemand(
  lines: KeptLines,
  plan: Plan,
  { binCount, binMinutes }: Instance,
): { readonly wanted: Int32Array; readonly released: Int32Array } {
  const wanted = new Int32Array(plan.length * binCount);
  const released = new Int32Array(plan.length * binCount);
  lines.eachSlot(plan, (k, wish, wait) => {
    const wishBin = Math.floor(wish / binMinutes);
    if (wishBin >= 0 && wishBin < binCount) wanted[k * binCount + wishBin]++;
    const releaseBin = Math.floor((wish + wait) / binMinutes);
    if (releaseBin >= 0 && releaseBin < binCount) released[k * binCount + releaseBin]++;
  });
  return { wanted, released };
}
