import { pipesRead } from "./output.ts";

/** A pause of this process, however long, counts as no more than this. */
const LOOK_MS = 1_000;

/**
 * Acts after `ms` in which this process could have seen something happen: time passes only while it looks, and what has
 * come meanwhile is read before it acts. Returns how to call it off.
 */
export function afterLooking(ms: number, act: () => void): () => void {
  let timer: NodeJS.Timeout | undefined;
  let over = false;
  const look = (leftMs: number): void => {
    const lookMs = Math.min(leftMs, LOOK_MS);
    timer = setTimeout(async () => {
      if (leftMs > lookMs) {
        look(leftMs - lookMs);
        return;
      }
      await pipesRead();
      if (!over) act();
    }, lookMs);
  };
  look(ms);
  return () => {
    over = true;
    clearTimeout(timer);
  };
}
