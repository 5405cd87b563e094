import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { writeDurably } from "@coppice/engine/files";
import { neededIds, removeNamed, unneededBelongings } from "../belongings/unneeded.ts";
import { ConversationWriter } from "../conversation/conversation-files.ts";
import { RECOVERY } from "../manifest/conversation-record.ts";
import { jsonText, manifestText } from "../manifest/json-text.ts";
import type { Manifest } from "../manifest/manifest.ts";
import { stopMessage } from "../manifest/reported-tree.ts";
import { writeReports } from "../report/write-reports.ts";
import { layout } from "../run-layout.ts";
import { parseKey } from "../search/task-key.ts";
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
  #prepared = false;
  #due = false;
  #depthsWritten = 0;
  #lastWriteAt = 0;
  #lastWriteMs = 0;

  constructor(tree: RecordedTree, resume: boolean) {
    this.#tree = tree;
    this.#resume = resume;
    this.#conversations = new ConversationWriter(tree.runRoot);
    this.#elapsedBeforeMs = tree.journal.elapsedMs;
  }

  /** With the lock held: the settings workers read, what a crash left behind, and the first manifest. */
  async prepare(): Promise<void> {
    const { runRoot, settings, journal, log } = this.#tree;
    mkdirSync(join(runRoot, layout.artifacts), { recursive: true });
    writeDurably(join(runRoot, layout.settings), `${jsonText(settings)}\n`);
    journal.follow();
    log.rewrite();
    if (this.#resume && !settings.shape.dryRun) {
      await removeNamed(runRoot, settings, unneededBelongings(runRoot, neededIds(settings, journal)));
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
      if (this.#prepared) this.#catchUp();
    }, 50).unref();
  }

  /** Why a task may not be started now: what it would cost is not known before, what has been spent is. */
  refusal(key: string): string | undefined {
    const { maxWallMs, maxMoney, maxTokens } = this.#tree.settings.work;
    if (maxWallMs === null && maxMoney === null && maxTokens === null) return undefined;
    const { kind } = parseKey(key);
    if (kind !== "evaluation" && kind !== "ideas") return undefined;
    const elapsedMs = this.#elapsedBeforeMs + Date.now() - this.#startedAt;
    if (maxWallMs !== null && elapsedMs >= maxWallMs) {
      return stopMessage("max_wall_time_reached", `${(elapsedMs / 1000).toFixed(1)} s of ${maxWallMs / 1000} s`);
    }
    if (maxMoney === null && maxTokens === null) return undefined;
    this.#tree.journal.follow();
    const { money, tokens } = this.#tree.journal;
    if (maxMoney !== null && money >= maxMoney) return stopMessage("max_cost_reached", `${money} of ${maxMoney} spent`);
    if (maxTokens !== null && tokens >= maxTokens) {
      return stopMessage("max_cost_reached", `${tokens} of ${maxTokens} tokens used`);
    }
    return undefined;
  }

  /** The last manifest, and the reports that are made of it. */
  close(): Manifest {
    this.#prepared = false;
    const { runRoot, journal, log } = this.#tree;
    journal.follow();
    const manifest = this.#writeManifest();
    for (const event of manifest.events) if (event.details.provisional === true) log.noteReported(event);
    log.append();
    writeReports(runRoot, manifest);
    return manifest;
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
