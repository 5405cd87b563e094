import { setFlagsFromString } from "node:v8";

/** For the command line of a worker process; {@link keepHotLoopsFast} for this one and its threads. */
export const HOT_LOOP_FLAG = "--no-maglev";

let set = false;

/**
 * Keeps small hot loops fast by doing without V8's middle compiler. On Node 24 a loop of 0.1 ms called once per task
 * becomes two to five times slower for good after some hundred tasks, and one of 10 ms may stay 2.7 times slower from the
 * start (28.7 ms of processor time against 10.6); `--no-maglev-inlining` cures only the first. Flags hold for the whole
 * process, for code compiled afterwards; evaluators are loaded after this.
 */
export function keepHotLoopsFast(): void {
  if (set) return;
  set = true;
  setFlagsFromString(HOT_LOOP_FLAG);
}
