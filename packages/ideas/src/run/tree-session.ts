import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { JOURNAL_NAME } from "@coppice/engine";
import { writeDurably } from "@coppice/engine/files";
import { ConversationWriter } from "../conversation/conversation-writer.ts";
import type { KeptIds, TreeGround } from "../ground/tree-ground.ts";
import { RECOVERY } from "../manifest/conversation-record.ts";
import { jsonText, manifestText } from "../manifest/json-text.ts";
import type { Manifest } from "../manifest/manifest.ts";
import { stopMessage } from "../manifest/stop.ts";
import { writeReports } from "../report/write-reports.ts";
import { layout } from "../run-layout.ts";
import { parseKey } from "../search/task-key.ts";
import type { TreeSearch } from "../search/tree-search.ts";
import { EventLog } from "./event-log.ts";
import { keptIds } from "./kept-ids.ts";
import { manifestOf, readTree } from "./recorded-tree.ts";
import { TreeJournal } from "./tree-journal.ts";
import type { TreePlan } from "./tree-plan.ts";

/** Writing manifests may take this share of a run's time; at the start and at the end it is written in any case. */
const MANIFEST_SHARE = 0.05;

export interface SessionOptions {
  /** Absolute path of the run's directory. */
  readonly runRoot: string;
  readonly plan: TreePlan;
  readonly resume: boolean;
  /** What cleans up in the repository; a dry run has none. */
  readonly ground: Pick<TreeGround, "listLeftovers" | "removeLeftovers"> | undefined;
}

/** What the coordinator keeps and writes while the run is under way. It reads the journal; it never writes there. */
export class TreeSession {
  readonly #options: SessionOptions;
  readonly #search: TreeSearch;
  readonly #journal: TreeJournal;
  readonly #log: EventLog;
  readonly #conversations: ConversationWriter;
  readonly #told = new Set<string>();
  readonly #startedAt = Date.now();
  #elapsedBeforeMs = 0;
  #prepared = false;
  #planned = false;
  #depthsWritten = 0;
  #lastWriteAt = 0;
  #lastWriteMs = 0;

  constructor(options: SessionOptions, search: TreeSearch) {
    const { runRoot, plan } = options;
    this.#options = options;
    this.#search = search;
    this.#journal = new TreeJournal(join(runRoot, JOURNAL_NAME));
    this.#log = new EventLog(runRoot, plan.treeRunId, !plan.shape.dryRun);
    this.#conversations = new ConversationWriter(runRoot);
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
    const manifest = this.#writeManifest();
    for (const event of manifest.events) if (event.details.provisional === true) this.#log.noteReported(event);
    this.#log.append();
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
    const { nodes } = this.#search;
    this.#conversations.write({ nodes, journal: this.#journal });
    const manifest = manifestOf({ runRoot, plan, search: this.#search, journal: this.#journal, log: this.#log });
    writeDurably(join(runRoot, layout.manifest), manifestText(manifest));
    this.#tellRecoveries(manifest);
    this.#depthsWritten = this.#search.depths.length;
    this.#lastWriteAt = Date.now();
    this.#lastWriteMs = this.#lastWriteAt - at;
    return manifest;
  }

  /** Each once per session, as the log is begun anew with every one. */
  #tellRecoveries({ events }: Manifest): void {
    for (const event of events) {
      if (event.type !== RECOVERY) continue;
      const text = JSON.stringify(event);
      if (!this.#told.has(text)) this.#log.tell(event);
      this.#told.add(text);
    }
    this.#log.append();
  }
}
