import { join } from "node:path";
import { makeDirectory, writeDurably } from "@coppice/engine/files";
import { neededIds, removeNamed, unneededBelongings } from "../belongings/unneeded.ts";
import { ConversationWriter } from "../conversation/conversation-files.ts";
import { mendRepository } from "../git/mend-repository.ts";
import { openRepository } from "../git/repository.ts";
import { RECOVERY } from "../manifest/conversation-record.ts";
import { jsonText, manifestText } from "../manifest/json-text.ts";
import type { Manifest } from "../manifest/manifest.ts";
import { promotedBecause } from "../manifest/promoted-because.ts";
import { stopMessage } from "../manifest/reported-tree.ts";
import { spentText } from "../report/in-order.ts";
import { writeReports } from "../report/write-reports.ts";
import { layout } from "../run-layout.ts";
import { parseKey } from "../search/task-key.ts";
import { Ledger } from "../steps/ledger.ts";
import { remakeNodes } from "./cleaned-nodes.ts";
import { manifestOf, type RecordedTree } from "./recorded-tree.ts";

/** Writing manifests may take this share of a run's time; at the start and at the end it is written in any case. */
const MANIFEST_SHARE = 0.05;

/** What the coordinator keeps and writes while the run is under way. It reads the journal; it never writes there. */
export class TreeSession {
  readonly #tree: RecordedTree;
  readonly #resume: boolean;
  readonly #conversations: ConversationWriter;
  readonly #told = new Set<string>();
  readonly #startedAt = Date.now();
  readonly #elapsedBeforeMs: number;
  readonly #maxTimeMs: number | undefined;
  #manifest: Manifest | undefined;
  #prepared = false;
  #due = false;
  #depthsWritten = 0;
  #lastWriteAt = 0;
  #lastWriteMs = 0;

  /** `maxTimeMs`: this session starts nothing after that time. */
  constructor(tree: RecordedTree, resume: boolean, maxTimeMs?: number) {
    this.#tree = tree;
    this.#resume = resume;
    this.#maxTimeMs = maxTimeMs;
    this.#conversations = new ConversationWriter(tree.runRoot);
    this.#elapsedBeforeMs = tree.journal.elapsedMs;
    tree.search.says = () => {
      // What is told now is in the journal already; agents are slow, and the next look may be minutes away.
      if (this.#prepared) tree.journal.follow();
      return [this.#bestText(), spentText(tree.journal)].filter((text) => text !== "");
    };
  }

  /** The best node so far, and why it was promoted; nothing while it is the root. */
  #bestText(): string {
    const { search, settings } = this.#tree;
    const node = search.best;
    const made = search.evaluations.get(node?.evalId ?? "");
    const result = node === undefined ? undefined : search.resultOf(node);
    if (node === undefined || made === undefined || result === undefined) return "";
    return `best: ${node.nodeId} ${made.task.idea.name}: ${promotedBecause(made, result, settings.config)}`;
  }

  /** The manifest as it was written last. */
  get manifest(): Manifest {
    if (this.#manifest === undefined) throw new Error("the session has not been prepared");
    return this.#manifest;
  }

  /** With the lock held: the settings workers read, what a crash left behind, and the first manifest. */
  async prepare(): Promise<void> {
    const { runRoot, settings, journal, log } = this.#tree;
    makeDirectory(join(runRoot, layout.artifacts));
    writeDurably(join(runRoot, layout.settings), `${jsonText(settings)}\n`);
    journal.follow();
    log.rewrite();
    if (!settings.shape.dryRun) {
      new Ledger(runRoot).settle();
      const { gitDirectory } = await openRepository(settings.config.repository, { clean: false });
      // A new run mends too: another one, which nobody has resumed, may have left what git stumbles over.
      await mendRepository(gitDirectory, runRoot, settings.treeRunId);
      if (this.#resume) {
        await removeNamed(runRoot, settings, unneededBelongings(runRoot, neededIds(settings, journal)));
        await remakeNodes(this.#tree);
      }
    }
    this.#writeManifest();
    this.#prepared = true;
  }

  /** Something happened: the logs catch up soon, and the manifest at a barrier. */
  moved(): void {
    if (!this.#prepared || this.#due) return;
    this.#due = true;
    setTimeout(() => {
      this.#due = false;
      try {
        if (this.#prepared) this.#catchUp();
      } catch {
        // Logs and manifest are made of the journal: on a full disk they wait for room, and the end says if there was none.
      }
    }, 50).unref();
  }

  /** Why a task may not be started now: what it would cost is not known before, what has been spent is. */
  refusal(key: string): string | undefined {
    const { maxWallMs, maxMoney, maxTokens } = this.#tree.settings.work;
    const { kind } = parseKey(key);
    if (kind !== "evaluation" && kind !== "ideas" && kind !== "repeat") return undefined;
    const sessionMs = Date.now() - this.#startedAt;
    const elapsedMs = this.#elapsedBeforeMs + sessionMs;
    const ofTime = (ms: number, limitMs: number) => `${(ms / 1000).toFixed(1)} s of ${limitMs / 1000} s`;
    if (maxWallMs !== null && elapsedMs >= maxWallMs) {
      return stopMessage("max_wall_time_reached", ofTime(elapsedMs, maxWallMs));
    }
    if (this.#maxTimeMs !== undefined && sessionMs >= this.#maxTimeMs) {
      return stopMessage("max_wall_time_reached", `${ofTime(sessionMs, this.#maxTimeMs)} in this session`);
    }
    if (maxMoney === null && maxTokens === null) return undefined;
    this.#tree.journal.follow();
    const { money, tokens, dearest, evaluationsRunning } = this.#tree.journal;
    // What is under way, and what is to be started, may each cost as much as the dearest so far.
    const share = kind === "evaluation" ? evaluationsRunning + 1 : evaluationsRunning;
    const overMoney = maxMoney !== null && overBudget(money, dearest.money * share, maxMoney);
    if (overMoney)
      return stopMessage("max_cost_reached", budgetText(money, dearest.money, maxMoney, "spent", evaluationsRunning));
    const overTokens = maxTokens !== null && overBudget(tokens, dearest.tokens * share, maxTokens);
    if (overTokens)
      return stopMessage(
        "max_cost_reached",
        budgetText(tokens, dearest.tokens, maxTokens, "tokens used", evaluationsRunning),
      );
    return undefined;
  }

  /** Writes the last manifest, and the reports that are made of it. */
  close(): void {
    this.#prepared = false;
    const { runRoot, settings, journal, log } = this.#tree;
    try {
      journal.follow();
      const manifest = this.#writeManifest();
      for (const event of manifest.events) if (event.details.provisional === true) log.noteReported(event);
      log.append();
      writeReports(runRoot, manifest);
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      const [what, how] =
        journal.end?.event === "finished"
          ? ["report", "writes them from the journal"]
          : ["resume", "goes on and writes them"];
      throw new Error(
        `the run has ended, but its reports in ${runRoot} could not be written: ${message}; when they can, "coppice tree ${what} ${settings.treeRunId}" ${how}`,
      );
    }
  }

  #catchUp(): void {
    this.#tree.journal.follow();
    this.#tree.log.append();
    if (this.#tree.search.depths.length === this.#depthsWritten) return;
    const cheap = (Date.now() - this.#lastWriteAt) * MANIFEST_SHARE >= this.#lastWriteMs;
    if (cheap) this.#writeManifest();
  }

  #writeManifest(): Manifest {
    const { runRoot, search, journal } = this.#tree;
    const at = Date.now();
    this.#conversations.write({ nodes: search.nodes, journal });
    const manifest = manifestOf(this.#tree);
    this.#manifest = manifest;
    writeDurably(join(runRoot, layout.manifest), manifestText(manifest));
    this.#tellRecoveries(manifest);
    this.#depthsWritten = search.depths.length;
    this.#lastWriteAt = Date.now();
    this.#lastWriteMs = this.#lastWriteAt - at;
    return manifest;
  }

  /** Each once per session, as the log is begun anew with every one. */
  #tellRecoveries({ events }: Manifest): void {
    for (const event of events) {
      if (event.type !== RECOVERY) continue;
      const text = JSON.stringify(event);
      if (!this.#told.has(text)) this.#tree.log.tell(event);
      this.#told.add(text);
    }
    this.#tree.log.append();
  }
}

/** A budget is spent, or would be by what is expected; sums of money are a little off in the last digits. */
function overBudget(spent: number, expected: number, limit: number): boolean {
  return spent >= limit || spent + expected > limit * (1 + 1e-9);
}

function budgetText(spent: number, dearest: number, limit: number, what: string, running: number): string {
  const said = `${Number(spent.toPrecision(12))} of ${limit} ${what}`;
  if (spent >= limit) return said;
  const underWay = running === 0 ? "" : `, ${running} more under way`;
  return `${said}${underWay}, and an evaluation has cost up to ${Number(dearest.toPrecision(12))}`;
}
