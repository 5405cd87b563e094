import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { writeAtomically } from "@coppice/engine/files";
import type { ReportedConversation } from "../contract.ts";
import { type ConversationSources, conversationFiles, conversationsOf } from "./conversation-files.ts";
import { recover } from "./recoveries.ts";

/** Writes conversations as they become known. The only one who does: workers are given theirs with the task. */
export class ConversationWriter {
  readonly #runRoot: string;
  readonly #written = new Map<string, ReportedConversation>();

  constructor(runRoot: string) {
    this.#runRoot = runRoot;
  }

  /** Brings the files up to date, each whole or not at all; one that is unreadable is put aside. */
  write(sources: ConversationSources): void {
    for (const conversation of conversationsOf(sources.nodes)) {
      const { conversationId, nodeId } = conversation;
      const said = sources.nodes.get(nodeId)?.listed?.conversation;
      if (said == null || this.#written.get(conversationId) === said) continue;
      recover(this.#runRoot, conversationId);
      for (const [path, text] of Object.entries(conversationFiles(sources, conversation))) {
        replace(join(this.#runRoot, path), text);
      }
      this.#written.set(conversationId, said);
    }
  }
}

function replace(path: string, text: string): void {
  if (existsSync(path) && readFileSync(path, "utf8") === text) return;
  mkdirSync(dirname(path), { recursive: true });
  writeAtomically(path, text);
}
