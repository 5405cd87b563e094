import { type PoolFactory, type Run, type RunEnd, RunNotDone, start, type TaskPolicy } from "@coppice/engine";
import { poolOf } from "@coppice/engine/pools";
import type { TreeTask, TreeValue } from "../contract.ts";
import { MACHINE_TROUBLE } from "../evaluate/machine-trouble.ts";
import type { Manifest } from "../manifest/manifest.ts";
import { parseKey } from "../search/task-key.ts";
import type { TreeResult } from "../search/tree-state.ts";
import type { TreeWork } from "../settings.ts";
import { REJECTED } from "../steps/reported-cost.ts";
import { checkArtifacts, type TreeOnDisk } from "./recorded-tree.ts";
import { TreeSession } from "./tree-session.ts";
import { searchOf, TREE_TOOL } from "./tree-settings.ts";

export interface GrowOptions {
  /** The run as it was read, with the settings it is to go on with. */
  readonly tree: TreeOnDisk;
  readonly resume: boolean;
  readonly evaluator: URL;
  /** Instead of the pool the settings ask for. */
  readonly pool?: PoolFactory;
  /** Called when the run is open: to follow it, or to interrupt it. */
  readonly onRun?: (run: Run<TreeResult>) => void;
}

export interface GrownTree {
  readonly end: RunEnd;
  readonly manifest: Manifest;
}

/** Asks of a whole depth are queued, and so written down, before the first is started. */
const LOOKAHEAD = 1_000_000;
/** Running work that a stop lets finish may take as long as it takes. */
const UNLIMITED_MS = 2 ** 31 - 1;

/** Grows a tree until it is done, stopped or interrupted. Everything that can be refused is refused before. */
export async function growTree({ tree, resume, evaluator, pool, onRun }: GrowOptions): Promise<GrownTree> {
  const { runRoot, settings, journal } = tree;
  const { work, shape } = settings;
  if (resume && !shape.dryRun) checkArtifacts(tree);
  const search = searchOf(settings, journal);
  const session = new TreeSession({ ...tree, search }, resume);
  const run = await start<TreeTask, TreeValue, TreeResult>({
    search,
    evaluator,
    context: { runRoot },
    pool: pool ?? (await treePool(work)),
    lookahead: LOOKAHEAD,
    wholeBatches: true,
    ...(shape.dryRun ? {} : { impure: "evaluations ran commands in a repository" }),
    policy: (key) => policyOf(key, work),
    admit: (key) => session.refusal(key),
    prepare: () => session.prepare(),
    drainMs: work.strictFailDepth && work.onStrictStop === "cancel" ? 0 : UNLIMITED_MS,
    journal: { directory: runRoot, resume, tool: TREE_TOOL, options: settings, lockStaleMs: work.lockStaleMs },
  });
  let end: RunEnd | undefined;
  run.subscribe((event) => {
    if (event.type === "finished") end = event.end;
    else session.moved();
  });
  onRun?.(run);
  try {
    await run.finished;
  } catch (error) {
    if (!(error instanceof RunNotDone)) throw error;
  }
  if (end === undefined) throw new Error("the run ended without saying how");
  try {
    return { end, manifest: session.close() };
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    throw new Error(
      `the run ${end.state === "done" ? "is done" : `ended (${end.message})`}, but its reports in ${runRoot} could not be written: ${message}; when they can, "coppice tree report ${settings.treeRunId}" writes them from the journal`,
    );
  }
}

/** What a step is given to end by itself before its process group is killed. */
const GRACE_MS = 500;
/** An evaluation keeps its own time, and says more about it than a worker that is ended; this is for one that does not. */
const BACKSTOP_MS = 10_000;

/** Ideas that cannot be listed stop the run, which can be resumed; so does any failed evaluation of a strict run. */
function policyOf(key: string, work: TreeWork): TaskPolicy {
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
function treePool({ parallelBackend, maxParallelEvals }: TreeWork): Promise<PoolFactory> {
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
