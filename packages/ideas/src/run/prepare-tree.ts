import { basename, dirname, resolve } from "node:path";
import type { PoolFactory, TaskPolicy } from "@coppice/engine";
import { poolOf } from "@coppice/engine/pools";
import type { EndedRun, PreparedRun } from "@coppice/engine/session";
import { UsageError } from "@coppice/engine/usage-error";
import type { ChosenTree } from "../config/choose-tree.ts";
import type { TreeTask, TreeValue } from "../contract.ts";
import { MACHINE_TROUBLE } from "../evaluate/machine-trouble.ts";
import { excludeFromGit, refuseTakenName } from "../git/repository.ts";
import { retold } from "../report/retold-event.ts";
import { farewellText, treeDocument, treeText } from "../report/tree-text.ts";
import { parseKey } from "../search/task-key.ts";
import type { TreeResult } from "../search/tree-state.ts";
import type { TreeWork } from "../settings.ts";
import { BUDGET_SPENT } from "../steps/ledger.ts";
import { REJECTED } from "../steps/reported-cost.ts";
import { goneNodes, refuseLostNodes } from "./cleaned-nodes.ts";
import { checkArtifacts, openTree, refuseIfLive, type TreeOnDisk } from "./recorded-tree.ts";
import { TreeSession } from "./tree-session.ts";
import { newSettings, searchOf, TREE_TOOL } from "./tree-settings.ts";

/** A tree as the engine's sessions run it. */
export type PreparedTree = PreparedRun<TreeTask, TreeValue, TreeResult>;

/** Module of the evaluator that does the tree's tasks for real. */
const treeEvaluator = new URL("../evaluate/evaluator.ts", import.meta.url);

/** Module of the evaluator that only pretends: no git, no processes, no network. */
const dryRunEvaluator = new URL("../dry-run/evaluator.ts", import.meta.url);

/** Asks of a whole depth are queued, and so written down, before the first is started. */
const LOOKAHEAD = 1_000_000;
/** Running work that a stop lets finish may take as long as it takes. */
const UNLIMITED_MS = 2 ** 31 - 1;

/** Prepares a new tree; it is named after the directory its run is given. */
export function prepareNewTree(chosen: ChosenTree): PreparedTree {
  const named = (directory: string) => newSettings(basename(directory), chosen);
  return {
    ...prepare(chosen, searchOf(named("")), (directory) => openTree(resolve(directory), named(directory))),
    record: named,
    before: async (directory, { cache }) => {
      refuseCache(chosen, cache);
      if (chosen.shape.dryRun) return;
      const { repository } = chosen.config;
      await refuseTakenName(repository, basename(directory));
      await excludeFromGit(repository, resolve(dirname(directory)));
    },
  };
}

/** Prepares a recorded tree, as it was read and with the settings it is to go on with. */
export function prepareRecordedTree(tree: TreeOnDisk): PreparedTree {
  const { runRoot, settings, journal } = tree;
  return {
    ...prepare(settings, searchOf(settings, journal), () => tree),
    record: () => settings,
    context: { runRoot },
    before: async (directory, { cache, onLockWait }) => {
      refuseCache(settings, cache);
      await refuseIfLive(directory, onLockWait, settings.work.lockStaleMs);
      if (settings.shape.dryRun) return;
      checkArtifacts(tree);
      const gone = goneNodes(tree);
      if (gone.length === 0) return;
      await refuseLostNodes(settings.config.repository, gone);
      const [worktrees, they] = gone.length === 1 ? ["worktree of node", "is"] : ["worktrees of nodes", "are"];
      const nodes = gone.map(({ nodeId }) => nodeId).join(", ");
      onLockWait?.(`the ${worktrees} ${nodes} ${they} gone (cleaned) and made again`);
    },
  };
}

/** What new and recorded trees have in common. Everything that can be refused is refused before the run is begun. */
function prepare(
  { shape, work }: ChosenTree,
  search: ReturnType<typeof searchOf>,
  treeIn: (directory: string) => TreeOnDisk,
) {
  const sessions = new Map<string, TreeSession>();
  const manifestIn = (directory: string) => sessionIn(sessions, directory).manifest;
  return {
    tool: TREE_TOOL,
    isPrivate: true,
    search,
    evaluator: shape.dryRun ? dryRunEvaluator : treeEvaluator,
    shape: { lookahead: LOOKAHEAD },
    wholeBatches: true,
    ...(shape.dryRun ? {} : { impure: "evaluations ran commands in a repository" }),
    policy: (key) => policyOf(key, work),
    drainMs: work.strictFailDepth && work.onStrictStop === "cancel" ? 0 : UNLIMITED_MS,
    lockStaleMs: work.lockStaleMs,
    pool: () => treePool(work),
    keepsTime: true,
    placed: (directory, resumed, { maxTimeMs }) => {
      const tree = treeIn(directory);
      const session = new TreeSession({ ...tree, search }, resumed, maxTimeMs);
      sessions.set(directory, session);
      const { runRoot } = tree;
      return {
        context: { runRoot },
        evaluatorFolders: [runRoot],
        admit: (key) => session.refusal(key),
        prepare: () => session.prepare(),
      };
    },
    retold: (event, directory) => retold(event, directory, search),
    begun: (run, directory) => {
      const session = sessionIn(sessions, directory);
      run.subscribe((event) => {
        if (event.type !== "finished") session.moved();
      });
    },
    finish: (_result, directory) => sessionIn(sessions, directory).close(),
    partial: (directory) => {
      sessionIn(sessions, directory).close();
      return search.result();
    },
    describe: (_result, directory) => treeText(manifestIn(directory), directory),
    document: (_result, directory, resume) => treeDocument(manifestIn(directory), directory, resume),
    exitCode: (end, directory) => exitCodeOf(end, manifestIn(directory).state.stop_reason),
    resumeWith: "tree resume",
    farewell: (end, directory, resume) => farewellText(end, manifestIn(directory), resume),
  } satisfies Partial<PreparedTree>;
}

function sessionIn(sessions: ReadonlyMap<string, TreeSession>, directory: string): TreeSession {
  const session = sessions.get(directory);
  if (session === undefined) throw new Error(`no session has been opened in ${directory}`);
  return session;
}

/** A budget that is spent is a good end; everything else ends as usual. */
function exitCodeOf({ state }: EndedRun<TreeResult>, stopReason: string | null): number | undefined {
  const spent = stopReason === "max_wall_time_reached" || stopReason === "max_cost_reached";
  return state === "stopped" && spent ? 0 : undefined;
}

function refuseCache({ shape }: ChosenTree, cache: string | true | undefined): void {
  if (shape.dryRun || cache === undefined || cache === "0" || cache === "false") return;
  throw new UsageError(
    "--cache cannot be used with an idea tree: an evaluation also leaves a branch and files, which a cache does not keep",
  );
}

/** What a step is given to end by itself before its process group is killed. */
const GRACE_MS = 500;
/** An evaluation keeps its own time, and says more about it than a worker that is ended; this is for one that does not. */
const BACKSTOP_MS = 10_000;

/** Neither is the idea's doing: the run can be resumed when there is room, or a larger budget. */
const STOPS = [MACHINE_TROUBLE, BUDGET_SPENT];

function backstopMs({ evalTimeoutMs, maxMoney, maxTokens, maxParallelEvals }: TreeWork): number {
  if (evalTimeoutMs === null) return 0;
  // With a budget the first of a step runs alone while the others wait, which is not in their own time.
  const atOnce = maxMoney === null && maxTokens === null ? 1 : maxParallelEvals;
  return evalTimeoutMs * atOnce + BACKSTOP_MS;
}

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
        timeoutMs: backstopMs(work),
        stopOn: STOPS,
        finalOn: [REJECTED],
        onFailure: work.strictFailDepth ? "stop" : "continue",
        ...(work.maxParallelPerNode === null
          ? {}
          : { group: { name: parsed.parentNodeId, limit: work.maxParallelPerNode } }),
      };
    case "repeat":
      return {
        retries: work.evalRetries,
        timeoutMs: backstopMs(work),
        stopOn: STOPS,
        // They share a worktree.
        group: { name: `${parsed.parentNodeId}/${parsed.evalId ?? "base"}`, limit: 1 },
      };
    case "promotion":
    case "prune":
      return { stopOn: STOPS };
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
