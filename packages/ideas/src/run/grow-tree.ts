import { join } from "node:path";
import { JOURNAL_NAME, type PoolFactory, type Run, type RunEnd, RunNotDone, start } from "@coppice/engine";
import type { TreeTask, TreeValue } from "../contract.ts";
import type { Manifest } from "../manifest/manifest.ts";
import type { TreeResult } from "../search/tree-result.ts";
import type { TreeSearch } from "../search/tree-search.ts";
import { checkArtifacts } from "./check-artifacts.ts";
import { policyOf, treePool } from "./how-tasks-run.ts";
import { readTree, TREE_TOOL } from "./recorded-tree.ts";
import { TreeJournal } from "./tree-journal.ts";
import { searchOf } from "./tree-plan.ts";
import { type SessionOptions, TreeSession } from "./tree-session.ts";

export interface GrowOptions extends SessionOptions {
  readonly evaluator: URL;
  /** Instead of the pool the plan asks for. */
  readonly pool?: PoolFactory;
  /** Called when the run is open: to follow it, or to interrupt it. */
  readonly onRun?: (run: Run<TreeResult>, search: TreeSearch) => void;
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
export async function growTree(options: GrowOptions): Promise<GrownTree> {
  const { runRoot, plan, resume } = options;
  if (resume && !plan.shape.dryRun) checkArtifacts(readTree(runRoot));
  const path = join(runRoot, JOURNAL_NAME);
  const before = new TreeJournal(path);
  if (resume) before.follow();
  const search = searchOf(plan, resume ? before : undefined);
  const session = new TreeSession(options, search);
  const run = await start<TreeTask, TreeValue, TreeResult>({
    search,
    evaluator: options.evaluator,
    context: { runRoot },
    pool: options.pool ?? (await treePool(plan.work)),
    lookahead: LOOKAHEAD,
    wholeBatches: true,
    ...(plan.shape.dryRun ? {} : { impure: "evaluations ran commands in a repository" }),
    policy: (key) => policyOf(key, plan.work),
    admit: (key) => session.refusal(key),
    prepare: () => session.prepare(),
    drainMs: plan.work.strictFailDepth && plan.work.onStrictStop === "cancel" ? 0 : UNLIMITED_MS,
    journal: { directory: runRoot, resume, tool: TREE_TOOL, options: plan, lockStaleMs: plan.work.lockStaleMs },
  });
  let end: RunEnd | undefined;
  run.subscribe((event) => {
    if (event.type === "finished") end = event.end;
    else session.moved();
  });
  options.onRun?.(run, search);
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
      `the run ${end.state === "done" ? "is done" : `ended (${end.message})`}, but its reports in ${runRoot} could not be written: ${message}; when they can, "coppice tree report ${plan.treeRunId}" writes them from the journal`,
    );
  }
}
