import type { IdeasResult } from "../contract.ts";
import { mergeReports } from "../conversation/conversation.ts";
import { addCost } from "../steps/step-failed.ts";

/** A node's ideas after it was asked for others. */
export function mergeListings(before: IdeasResult, added: IdeasResult): IdeasResult {
  return {
    kind: "ideas",
    ideas: [...before.ideas, ...added.ideas],
    refused: [...before.refused, ...added.refused],
    conversation: mergeReports(before.conversation, added.conversation),
    cost: addCost(before.cost, added.cost),
  };
}
