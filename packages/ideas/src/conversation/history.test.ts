import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import type { ConversationTurn } from "../contract.ts";
import { historyOf, summaryOf } from "./history.ts";

const turn = (number: number, reply: string, prompt = ""): ConversationTurn => ({
  turnId: `c0000.${number}`,
  operationId: `${number}`,
  promptHash: "",
  prompt,
  reply,
  ideaPath: `node_ideas/0000/${number}.md`,
  clippedChars: 0,
});

const texts = fc.array(fc.tuple(fc.string({ maxLength: 60 }), fc.string({ maxLength: 60 })), { maxLength: 20 });

test("history is the last turns within its limits, newest kept first, in the order they were said", () => {
  const turns = [1, 2, 3, 4].map((number) => turn(number, "x".repeat(100)));
  const kept = (windowTurns: number, maxChars: number) =>
    historyOf(turns, { windowTurns, maxChars }).turns.map(({ turnId }) => turnId);
  assert.deepEqual(kept(2, -1), ["c0000.3", "c0000.4"]);
  assert.deepEqual(kept(-1, -1), ["c0000.1", "c0000.2", "c0000.3", "c0000.4"]);
  assert.deepEqual(kept(12, 260), ["c0000.3", "c0000.4"]);
  assert.deepEqual(kept(0, -1), []);
  assert.deepEqual(kept(-1, 0), []);
});

test("whatever was said, history takes no more room than it has, summary included, and ends with the newest turn", () => {
  const limits = fc.record({
    windowTurns: fc.integer({ min: 1, max: 25 }),
    maxChars: fc.integer({ min: 1, max: 2000 }),
  });
  fc.assert(
    fc.property(texts, limits, (said, { windowTurns, maxChars }) => {
      const turns = said.map(([prompt, reply], index) => turn(index + 1, reply, prompt));
      const history = historyOf(turns, { windowTurns, maxChars });
      const room = history.turns.reduce((sum, { prompt, reply }) => sum + prompt.length + reply.length, 0);
      assert.ok(room + history.summary.length <= maxChars);
      assert.ok(history.turns.length <= windowTurns);
      assert.equal(history.turns.at(-1)?.turnId, turns.at(-1)?.turnId);
    }),
  );
});

test("a last turn that is too long by itself is clipped, its reply kept before its prompt, and no character is halved", () => {
  const { turns } = historyOf([turn(1, "ab😀d", "why")], { windowTurns: 1, maxChars: 3 });
  assert.deepEqual([turns[0].reply, turns[0].prompt, turns[0].clippedChars], ["ab", "w", 5]);
});

test("a summary has a line for each turn: the idea's file and title; when it is too long the oldest are counted", () => {
  const turns = [turn(1, "IDEA: Cache it\nRATIONALE: …"), turn(2, "\n## **Sort** first\n"), turn(3, "", "what next?")];
  assert.equal(
    summaryOf(turns, 4000),
    "- c0000.1 1.md: Cache it\n- c0000.2 2.md: Sort first\n- c0000.3 3.md: what next?",
  );
  assert.equal(summaryOf(turns, 80), "- (2 earlier turns)\n- c0000.3 3.md: what next?");
  assert.equal(summaryOf(turns, 30), "");
});
