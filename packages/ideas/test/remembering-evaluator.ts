import { hash } from "node:crypto";
import { defineEvaluator } from "@coppice/engine/evaluator";
import type { IdeasTask, TreeContext, TreeTask, TreeValue } from "../src/contract.ts";
import { reportedTurns } from "../src/conversation/heard.ts";
import { type PretendSettings, pretend } from "../src/dry-run/pretend.ts";
import { ideaHash } from "../src/search/idea-choice.ts";
import { settingsOnDisk, type TreeSettings } from "../src/settings.ts";

/** A dry run whose ideas are made of all its generator is given to remember: one letter of it changed changes the tree. */
export function pretendRemembering(settings: PretendSettings, task: TreeTask): TreeValue {
  const value = pretend(settings, task);
  return value.kind === "ideas" && task.kind === "ideas" ? { ...value, ...thoughtsOf(task) } : value;
}

export default defineEvaluator<TreeContext, TreeSettings, TreeTask, TreeValue>({
  setup: ({ runRoot }) => settingsOnDisk(runRoot),
  evaluate: pretendRemembering,
});

function thoughtsOf({ conversation, count, node }: IdeasTask) {
  const memory = hash("sha256", JSON.stringify(conversation), "hex");
  const ideas = Array.from({ length: count }, (_, index) => {
    const text = `${memory} ${index}`;
    const name = `${index}-${memory.slice(0, 12)}.md`;
    const path = `node_ideas/${node.nodeId}/${name}`;
    return { name, path, sha256: hash("sha256", text, "hex"), textHash: ideaHash(text), text };
  });
  const spoken = ideas.map(({ path, text }) => ({ prompt: conversation.summary, reply: text, ideaPath: path }));
  return {
    ideas: ideas.map(({ text, ...idea }) => idea),
    conversation: {
      sessionId: `session ${memory}`,
      turns: reportedTurns(conversation.conversationId, spoken),
      recovered: null,
    },
  };
}
