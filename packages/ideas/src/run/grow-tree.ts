import { mkdirSync } from "node:fs";
import { join } from "node:path";
import {
  inline,
  JOURNAL_NAME,
  type PoolFactory,
  processes,
  type Run,
  type RunEnd,
  RunNotDone,
  start,
  type TaskPolicy,
  threads,
} from "@coppice/engine";
import type { KeptIds, TreeGround, TreeTask, TreeValue, TreeWork } from "../contract.ts";
import { MACHINE_TROUBLE } from "../evaluate/machine-trouble.ts";
import { jsonText, manifestText } from "../manifest/json-text.ts";
import type { Manifest } from "../manifest/manifest.ts";
import { stopMessage } from "../manifest/stop.ts";
import { writeDurably } from "../manifest/write-durably.ts";
import { writeReports } from "../report/write-reports.ts";
import { layout } from "../run-layout.ts";
import { parseKey } from "../search/task-key.ts";
import type { TreeResult, TreeSearch } from "../search/tree-search.ts";
import { checkArtifacts } from "./check-artifacts.ts";
import { EventLog } from "./event-log.ts";
import { keptIds } from "./kept-ids.ts";
import { manifestOf, readTree, TREE_TOOL } from "./recorded-tree.ts";
import { TreeJournal } from "./tree-journal.ts";
import { searchOf, type TreePlan } from "./tree-plan.ts";

export interface GrowOptions {
  /** Absolute path of the run's directory. */
  readonly runRoot: string;
  readonly plan: TreePlan;
  readonly resume: boolean;
  readonly evaluator: URL;
  /** What cleans up in the repository; a dry run has none. */
  readonly ground: Pick<TreeGround, "listLeftovers" | "removeLeftovers"> | undefined;
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
/** Writing manifests may take this share of a run's time; at the start and at the end it is written in any case. */
const MANIFEST_SHARE = 0.05;
/** Running work that a stop lets finish may take as long as it takes. */
const UNLIMITED_MS = 2 ** 31 - 1;
/** What a step is given to end by itself before its process group is killed. */
const GRACE_MS = 500;

/** An evaluation keeps its own time, and says more about it than a worker that is ended; this is for one that does not. */
const BACKSTOP_MS = 10_000;

/** Grows a tree until it is done, stopped or interrupted. Everything that can be refused is refused before. */
export async function growTree(options: GrowOptions): Promise<GrownTree> {
  const { runRoot, plan, resume } = options;
  if (resume && !plan.shape.dryRun) checkArtifacts(readTree(runRoot));
  const path = join(runRoot, JOURNAL_NAME);
  const before = new TreeJournal(path);
  if (resume) before.follow();
  const search = searchOf(plan, resume ? before : undefined);
  const session = new Session(options, search);
  const run = await start<TreeTask, TreeValue, TreeResult>({
    search,
    evaluator: options.evaluator,
    context: { runRoot },
    pool: options.pool ?? poolOf(plan.work),
    lookahead: LOOKAHEAD,
    ...(plan.shape.dryRun ? {} : { impure: "evaluations ran commands in a repository" }),
    policy: (key) => policyOf(key, plan.work),
    admit: (key) => session.refusal(key),
    prepare: () => session.prepare(),
    drainMs: plan.work.onStrictStop === "drain" ? UNLIMITED_MS : 0,
    journal: { directory: runRoot, resume, tool: TREE_TOOL, options: plan },
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

/** What the coordinator keeps and writes while the run is under way. It reads the journal; it never writes there. */
class Session {
  readonly #options: GrowOptions;
  readonly #search: TreeSearch;
  readonly #journal: TreeJournal;
  readonly #log: EventLog;
  readonly #startedAt = Date.now();
  #elapsedBeforeMs = 0;
  #prepared = false;
  #planned = false;
  #depthsWritten = 0;
  #lastWriteAt = 0;
  #lastWriteMs = 0;

  constructor(options: GrowOptions, search: TreeSearch) {
    const { runRoot, plan } = options;
    this.#options = options;
    this.#search = search;
    this.#journal = new TreeJournal(join(runRoot, JOURNAL_NAME));
    this.#log = new EventLog(runRoot, plan.treeRunId, !plan.shape.dryRun);
  }

  /** With the lock held: the settings workers read, what a crash left behind, and the first manifest. */
  async prepare(): Promise<void> {
    const { runRoot, plan, ground, resume } = this.#options;
    mkdirSync(join(runRoot, layout.artifacts), { recursive: true });
    writeDurably(join(runRoot, layout.settings), `${jsonText(plan)}\n`);
    this.#follow();
    this.#elapsedBeforeMs = this.#journal.elapsedMs;
    this.#log.rewrite();
    if (resume && ground !== undefined) {
      const kept: KeptIds = keptIds(readTree(runRoot));
      const leftovers = await ground.listLeftovers(runRoot, plan, kept);
      await ground.removeLeftovers(runRoot, plan, leftovers);
    }
    this.#writeManifest();
    this.#prepared = true;
  }

  /** Something happened: the logs catch up soon, and the manifest at a barrier. */
  moved(): void {
    if (!this.#prepared || this.#planned) return;
    this.#planned = true;
    setTimeout(() => {
      this.#planned = false;
      if (this.#prepared) this.#catchUp();
    }, 50).unref();
  }

  /** Why a task may not be started now: what it would cost is not known before, what has been spent is. */
  refusal(key: string): string | undefined {
    const { maxWallMs, maxMoney, maxTokens } = this.#options.plan.work;
    if (maxWallMs === null && maxMoney === null && maxTokens === null) return undefined;
    const { kind } = parseKey(key);
    if (kind !== "evaluation" && kind !== "ideas") return undefined;
    const elapsedMs = this.#elapsedBeforeMs + Date.now() - this.#startedAt;
    if (maxWallMs !== null && elapsedMs >= maxWallMs) {
      return stopMessage("max_wall_time_reached", `${(elapsedMs / 1000).toFixed(1)} s of ${maxWallMs / 1000} s`);
    }
    if (maxMoney === null && maxTokens === null) return undefined;
    this.#follow();
    const { money, tokens } = this.#journal;
    if (maxMoney !== null && money >= maxMoney) return stopMessage("max_cost_reached", `${money} of ${maxMoney} spent`);
    if (maxTokens !== null && tokens >= maxTokens) {
      return stopMessage("max_cost_reached", `${tokens} of ${maxTokens} tokens used`);
    }
    return undefined;
  }

  /** The last manifest, and the reports that are made of it. */
  close(): Manifest {
    this.#prepared = false;
    this.#follow();
    this.#log.append();
    const manifest = this.#writeManifest();
    writeReports(this.#options.runRoot, manifest);
    return manifest;
  }

  #catchUp(): void {
    this.#follow();
    this.#log.append();
    const depths = this.#search.depths.length;
    if (depths === this.#depthsWritten) return;
    const cheap = (Date.now() - this.#lastWriteAt) * MANIFEST_SHARE >= this.#lastWriteMs;
    if (cheap) this.#writeManifest();
  }

  #follow(): void {
    this.#journal.follow((event) => this.#log.note(event));
  }

  #writeManifest(): Manifest {
    const { runRoot, plan } = this.#options;
    const at = Date.now();
    const manifest = manifestOf({ plan, search: this.#search, journal: this.#journal, log: this.#log });
    writeDurably(join(runRoot, layout.manifest), manifestText(manifest));
    this.#depthsWritten = this.#search.depths.length;
    this.#lastWriteAt = Date.now();
    this.#lastWriteMs = this.#lastWriteAt - at;
    return manifest;
  }
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
        timeoutMs: work.evalTimeoutMs === null ? 0 : work.evalTimeoutMs + BACKSTOP_MS,
        stopOn: [MACHINE_TROUBLE],
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

function poolOf({ parallelBackend, maxParallelEvals }: TreeWork): PoolFactory {
  // One at a time to each worker: how long an evaluation takes cannot be guessed from the last one.
  const crew = { workers: maxParallelEvals, oversubscribe: true, chunk: 1, maxInFlight: maxParallelEvals };
  switch (parallelBackend) {
    case "processes":
      return processes({ ...crew, graceMs: GRACE_MS });
    case "threads":
      return threads(crew);
    case "inline":
      return inline({ chunk: 1, maxInFlight: 1, graceMs: GRACE_MS });
    default:
      return parallelBackend satisfies never;
  }
}
