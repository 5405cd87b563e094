import type { PoolFactory, TaskPolicy } from "@coppice/engine";
import { poolOf } from "@coppice/engine/pools";
import { MACHINE_TROUBLE } from "../evaluate/machine-trouble.ts";
import { parseKey } from "../search/task-key.ts";
import type { TreeWork } from "../settings.ts";
import { REJECTED } from "../steps/step-failed.ts";

/** What a step is given to end by itself before its process group is killed. */
const GRACE_MS = 500;
/** An evaluation keeps its own time, and says more about it than a worker that is ended; this is for one that does not. */
const BACKSTOP_MS = 10_000;

/** Ideas that cannot be listed stop the run, which can be resumed; so does any failed evaluation of a strict run. */
export function policyOf(key: string, work: TreeWork): TaskPolicy {
  const parsed = parseKey(key);
  switch (parsed.kind) {
    case "root":
    case "ideas":
      return { onFailure: "stop" };
    case "evaluation":
      return {
        retries: work.evalRetries,
        timeoutMs: work.evalTimeoutMs === null ? 0 : work.evalTimeoutMs + BACKSTOP_MS,
        stopOn: [MACHINE_TROUBLE],
        finalOn: [REJECTED],
        onFailure: work.strictFailDepth ? "stop" : "continue",
        ...(work.maxParallelPerNode === null
          ? {}
          : { group: { name: parsed.parentNodeId, limit: work.maxParallelPerNode } }),
      };
    case "promotion":
    case "prune":
      return { stopOn: [MACHINE_TROUBLE] };
    default:
      return parsed satisfies never;
  }
}

/** One task at a time to each worker, and never more out than may run at once. */
export function treePool({ parallelBackend, maxParallelEvals }: TreeWork): Promise<PoolFactory> {
  return poolOf(parallelBackend, {
    // How long an evaluation takes cannot be guessed from the last task.
    chunk: 1,
    ahead: false,
    graceMs: GRACE_MS,
    workers: maxParallelEvals,
    oversubscribe: true,
    maxInFlight: maxParallelEvals,
  });
}
