import { pathToFileURL } from "node:url";
import type { PoolJob } from "../../contract/pool.ts";
import { descriptorAdvice, outOfDescriptors } from "../../cores/open-files.ts";
import { placeOf } from "../../worker/load-evaluator.ts";
import type { WorkerEnd } from "../../worker/worker-link.ts";

/** The pool cannot go on; one line for people, and the stack of what was thrown, if anything was. */
export class PoolBroken extends Error {
  override readonly name = "PoolBroken";
  readonly detail: string;

  constructor(message: string, detail: string) {
    super(message);
    this.detail = detail;
  }
}

/** For what a worker said, or why it could not be started. */
export function brokenBy(reason: string, detail: string, workers: number): PoolBroken {
  return new PoolBroken(outOfDescriptors(reason) ? descriptorAdvice(workers) : reason, detail);
}

/** Workers end one after the other without a task answered or to blame. */
export function futileStarts({ evaluatorUrl }: PoolJob, starts: number, { reason, stack = "" }: WorkerEnd): PoolBroken {
  const message = `evaluator ${placeOf(evaluatorUrl)}: ${starts} workers ended before their first task (${reason})`;
  return new PoolBroken(message, stack);
}

/** The evaluator did not become ready within its time. */
export function setupTooLong({ evaluatorUrl, setupTimeoutMs }: PoolJob, sameThread: boolean): PoolBroken {
  const limit = `evaluator ${placeOf(evaluatorUrl)}: setup took longer than ${setupTimeoutMs} ms`;
  return new PoolBroken(limit + (sameThread ? waitsForItself(evaluatorUrl) : ""), "");
}

/** In this process a module cannot be loaded while it is still running: a main module that awaits its own run never is. */
function waitsForItself(evaluatorUrl: string): string {
  const main = process.argv[1];
  if (main === undefined || pathToFileURL(main).href !== evaluatorUrl) return "";
  return "; it is the program itself, which waits for this run: put the evaluator into a module of its own, or use threads";
}
