// Attacks on a run, for tests of any tool and for `coppice bench chaos`: each says what harm was done.
export { type AttackedRun, type Harm, harmOf, launch, type NotHere } from "./attacked-run.ts";
export { loseReader, type Reader } from "./leaving-reader.ts";
export { stealFromLiveOwner, stealFromStoppedOwner } from "./stolen-lock.ts";
export { stopAndContinue } from "./stop-and-continue.ts";
