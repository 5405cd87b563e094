import assert from "node:assert/strict";
import { hash } from "node:crypto";
import { test } from "node:test";
import type { ReportedConversation } from "../contract.ts";
import { conversationOf, givenConversation, mergeReports, type Speaker } from "./conversation.ts";
import { reportedTurns } from "./heard.ts";

const limits = { ideaHistoryWindowTurns: 12, ideaHistoryMaxChars: 20_000 };

function said(nodeId: string, replies: readonly string[], sessionId: string | null): ReportedConversation {
  const spoken = replies.map((reply) => ({
    prompt: `ask ${reply}`,
    reply,
    ideaPath: `node_ideas/${nodeId}/${reply}.md`,
  }));
  return { sessionId, turns: reportedTurns(`c${nodeId}`, spoken), recovered: null };
}

const speaker = (nodeId: string, parentNodeId: string | null, conversation?: ReportedConversation): Speaker => ({
  nodeId,
  parentNodeId,
  listed: conversation === undefined ? undefined : { conversation },
});

const tree = new Map(
  [
    speaker("0000", null, said("0000", ["a", "b"], "root session")),
    speaker("0001", "0000", said("0001", ["c"], "session 1")),
    speaker("0002", "0000", said("0002", ["d"], null)),
    speaker("0003", "0001"),
    speaker("0004", "0002"),
  ].map((node) => [node.nodeId, node]),
);

const given = (nodeId: string, mode: "auto" | "native" | "replay") => {
  const node = tree.get(nodeId);
  assert.ok(node !== undefined);
  const { turns, ...rest } = givenConversation(node, tree, { ...limits, ideaConversationMode: mode });
  return { ...rest, turns: turns.map(({ turnId }) => turnId) };
};

test("a child goes on after its parent's last turn, and knows nothing of its uncles", () => {
  const child = tree.get("0001");
  assert.ok(child !== undefined);
  const conversation = conversationOf(child, tree);
  assert.deepEqual(
    [conversation?.conversationId, conversation?.parentConversationId, conversation?.forkedFromTurnId],
    ["c0001", "c0000", "c0000.2"],
  );
  const { turns, summary, forkedFromTurnId } = given("0003", "replay");
  assert.deepEqual([turns, forkedFromTurnId], [["c0000.1", "c0000.2", "c0001.1"], "c0001.1"]);
  assert.equal(summary, "- c0000.1 a.md: a\n- c0000.2 b.md: b\n- c0001.1 c.md: c");
});

test("native gives the parent's session to be forked, replay the turns, auto both", () => {
  const { sessionId, mustFork, turns, summary } = given("0003", "native");
  assert.deepEqual([sessionId, mustFork, turns, summary], ["session 1", true, [], ""]);
  assert.deepEqual([given("0003", "replay").sessionId, given("0003", "replay").mustFork], [null, false]);
  const auto = given("0003", "auto");
  assert.deepEqual([auto.sessionId, auto.mustFork, auto.turns.length], ["session 1", true, 3]);
});

test("a parent that reported no session leaves none; a node's own session goes on without a fork", () => {
  assert.deepEqual([given("0004", "auto").sessionId, given("0004", "auto").mustFork], [null, false]);
  assert.deepEqual([given("0001", "auto").sessionId, given("0001", "auto").mustFork], ["session 1", false]);
});

test("an operation is its prompt and its output: made again it replaces its turn, anything else is added", () => {
  const first = said("0000", ["a", "b"], "s1");
  const again = { ...said("0000", ["a", "c"], "s2") };
  const changed = { ...again, turns: again.turns.map((turn) => ({ ...turn, reply: `${turn.reply} again` })) };
  const merged = mergeReports(first, changed);
  assert.deepEqual([merged?.sessionId, merged?.turns.map(({ reply }) => reply)], ["s2", ["a again", "b", "c again"]]);
  const [turn] = first.turns;
  const promptHash = hash("sha256", "ask a", "hex");
  assert.equal(turn.operationId, hash("sha256", `${promptHash}|node_ideas/0000/a.md`, "hex"));
});

test("a gigantic turn is clipped where it is heard; of a call that says too much the newest turns keep their texts", () => {
  const spoken = Array.from({ length: 100 }, (_, index) => ({
    prompt: "p",
    reply: "x".repeat(1_000_000),
    ideaPath: `${index}`,
  }));
  const turns = reportedTurns("c0000", spoken);
  assert.equal(turns.length, 100);
  assert.deepEqual([turns[99].reply.length, turns[99].clippedChars], [32_768, 1_000_000 - 32_768]);
  assert.deepEqual([turns[0].reply.length, turns[0].clippedChars], [0, 1_000_001]);
  assert.ok(turns.reduce((sum, { prompt, reply }) => sum + prompt.length + reply.length, 0) <= 1024 * 1024);
});
