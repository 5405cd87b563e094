import type { RecordedTree } from "../run/recorded-tree.ts";
import { ConversationWriter } from "./conversation-writer.ts";

/** Writes every conversation of a recorded run again, from its journal. */
export function writeConversations({ runRoot, search, journal }: RecordedTree): void {
  new ConversationWriter(runRoot).write({ nodes: search.nodes, journal });
}
