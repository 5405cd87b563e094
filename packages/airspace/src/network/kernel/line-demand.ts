import type { Instance } from "../../instance/instance.ts";
import type { Plan } from "../regulation.ts";
import type { KeptLines } from "./kept-lines.ts";
import type { SlotQueue } from "./slot-queue.ts";

/** Flights that wanted to enter at a plan's lines and that were let in, for [line * binCount + bin]; it was served and noted. */
export function countDemand(
  { lines, steps, trial }: KeptLines,
  plan: Plan,
  { binCount, binMinutes }: Instance,
): { readonly wanted: Int32Array; readonly released: Int32Array } {
  const prefix = plan.length - steps.length;
  const wanted = new Int32Array(plan.length * binCount);
  const released = new Int32Array(plan.length * binCount);
  for (let k = 0; k < plan.length; k++) {
    if (k < prefix) {
      count(k, lines[k].queue, 0, lines[k].queue.count);
      continue;
    }
    const { line, from, to, start, end } = steps[k - prefix];
    if (line !== undefined) {
      count(k, line.queue, 0, from);
      count(k, line.queue, to, line.queue.count);
    }
    count(k, trial, start, end);
  }
  return { wanted, released };

  function count(k: number, queue: SlotQueue, from: number, to: number): void {
    for (let i = from; i < to; i++) {
      const wish = Math.floor(queue.wish[i] / binMinutes);
      if (wish >= 0 && wish < binCount) wanted[k * binCount + wish]++;
      const release = Math.floor((queue.wish[i] + queue.wait[i]) / binMinutes);
      if (release >= 0 && release < binCount) released[k * binCount + release]++;
    }
  }
}
