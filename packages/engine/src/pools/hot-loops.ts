import { setFlagsFromString } from "node:v8";

/** For the command line of a worker process; {@link keepHotLoopsFast} for this one and its threads. */
export const HOT_LOOP_FLAG = "--no-maglev-inlining";

let set = false;

/**
 * Keeps small hot loops fast: on Node 24 one that is called once per task became five times slower for good after some
 * hundred calls, and does not without the inlining of V8's middle compiler. Flags hold for the whole process, for code
 * compiled afterwards; evaluators are loaded after this.
 */
export function keepHotLoopsFast(): void {
  if (set) return;
  set = true;
  setFlagsFromString(HOT_LOOP_FLAG);
}
