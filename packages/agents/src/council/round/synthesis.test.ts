import assert from "node:assert/strict";
import { test } from "node:test";
import { readSynthesis } from "./synthesis.ts";

test("the arbiter's reply is read from JSON, with rulings and recruits", () => {
  const reply = {
    verdict: "STOP",
    confidence: 60,
    reasoning: "a\nb",
    next: "CONCLUDE",
    rulings: [{ persona: "Critic", why: "ours" }],
    recruits: ["ux - screens"],
  };
  assert.deepEqual(readSynthesis(`Here:\n\`\`\`json\n${JSON.stringify(reply)}\n\`\`\``), {
    verdict: "STOP",
    confidence: 60,
    reasoning: "a\nb",
    next: "conclude",
    rulings: [{ persona: "critic", why: "ours" }],
    recruits: [{ persona: "ux", why: "screens" }],
  });
});

test("labelled lines are read as well, each label's text apart", () => {
  const read = readSynthesis(
    "VERDICT: PROCEED\nCONFIDENCE: 70\nREASONING: first\nsecond\nNEXT: CONTINUE\nRULINGS:\n- critic - ours\n- judge - not ours\nRECRUITS: ux - screens",
  );
  assert.deepEqual(read, {
    verdict: "PROCEED",
    confidence: 70,
    reasoning: "first\nsecond",
    next: "continue",
    rulings: [
      { persona: "critic", why: "ours" },
      { persona: "judge", why: "not ours" },
    ],
    recruits: [{ persona: "ux", why: "screens" }],
  });
});

test("without a verdict there is no synthesis", () => {
  for (const text of ["", "I would rather not say.", "VERDICT: PERHAPS", '{"confidence": 3}']) {
    assert.equal(readSynthesis(text), undefined, text);
  }
});
