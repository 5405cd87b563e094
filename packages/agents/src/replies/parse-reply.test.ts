import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { parseReply } from "./parse-reply.ts";
import { verdicts } from "./reply.ts";

const json = {
  verdict: "CONDITIONAL_GO",
  confidence: 80,
  conviction: 65,
  reasoning: 'It holds, {mostly}: see "a]b".',
  info_needed: ["How many users?"],
  escalate_to: [{ persona: "Legal", why: "contracts" }],
  agrees_with: ["Critic"],
  disagrees_with: [{ persona: "judge", why: "scope" }],
  changed_position: "STOP → CONDITIONAL_GO",
  blockers: ["no rollback"],
  recruits: [{ persona: "data", why: "numbers" }],
};

const expected = {
  verdict: "CONDITIONAL_GO",
  confidence: 80,
  conviction: 65,
  reasoning: json.reasoning,
  infoNeeded: ["How many users?"],
  escalateTo: [{ persona: "legal", why: "contracts" }],
  agreesWith: ["critic"],
  disagreesWith: [{ persona: "judge", why: "scope" }],
  changedPosition: "STOP → CONDITIONAL_GO",
  blockers: ["no rollback"],
  recruits: [{ persona: "data", why: "numbers" }],
};

describe("a persona's reply", () => {
  const text = JSON.stringify(json, null, 2);
  const wrapped: [string, string][] = [
    ["alone", text],
    ["in a fence", `Here it is:\n\`\`\`json\n${text}\n\`\`\`\nThat is all.`],
    ["between words", `I looked at {this} and [that]. ${text} Regards`],
    ["on one line", JSON.stringify(json)],
  ];
  for (const [where, content] of wrapped) {
    it(`is read from JSON ${where}`, () => {
      assert.deepEqual(parseReply(content), { ...expected, form: "json" });
    });
  }

  it("is read from labelled lines as a marked fallback, reasoning to its end", () => {
    const lines = `Some thoughts first.
**VERDICT:** CONDITIONAL_GO
CONFIDENCE: 80%
CONVICTION: 65
REASONING: First line.

- second point
third line
INFO_NEEDED:
- How many users?
2. Which region?
ESCALATE_TO: legal - contracts
AGREES_WITH: critic, Skeptic
DISAGREES_WITH: judge – scope
CHANGED_POSITION: STOP→CONDITIONAL_GO
BLOCKERS: none
RECRUITS: data - numbers`;
    assert.deepEqual(parseReply(lines), {
      verdict: "CONDITIONAL_GO",
      confidence: 80,
      conviction: 65,
      reasoning: "First line.\n\n- second point\nthird line",
      infoNeeded: ["How many users?", "Which region?"],
      escalateTo: [{ persona: "legal", why: "contracts" }],
      agreesWith: ["critic", "skeptic"],
      disagreesWith: [{ persona: "judge", why: "scope" }],
      changedPosition: "STOP→CONDITIONAL_GO",
      blockers: [],
      recruits: [{ persona: "data", why: "numbers" }],
      form: "labels",
    });
  });

  it("keeps prose as it is, without a verdict", () => {
    const reply = parseReply("  I would proceed with care. ");
    assert.deepEqual(
      [reply.verdict, reply.confidence, reply.conviction, reply.reasoning, reply.form],
      [null, 0, 50, "I would proceed with care.", "prose"],
    );
  });

  it("clamps what is out of range and has no verdict for one that does not exist", () => {
    const reply = parseReply('{"verdict":"MAYBE","confidence":140,"conviction":-3}');
    assert.deepEqual([reply.verdict, reply.confidence, reply.conviction], [null, 100, 0]);
  });

  it("fills in 0 for a missing confidence and 50 for a missing conviction", () => {
    for (const text of ['{"verdict":"stop"}', "VERDICT: Stop"]) {
      const reply = parseReply(text);
      assert.deepEqual([reply.verdict, reply.confidence, reply.conviction], ["STOP", 0, 50]);
    }
  });

  it("reads verdicts however they are written", () => {
    for (const written of ["conditional go", "Conditional-Go", " CONDITIONAL_GO. "]) {
      assert.equal(parseReply(JSON.stringify({ verdict: written })).verdict, "CONDITIONAL_GO");
    }
    assert.equal(parseReply("VERDICT: PROCEED (with care)").verdict, "PROCEED");
  });

  it("survives any text, and any JSON", () => {
    const checked = (content: string) => {
      const { verdict, confidence, conviction } = parseReply(content);
      assert.ok(verdict === null || verdicts.includes(verdict));
      assert.ok(confidence >= 0 && confidence <= 100 && conviction >= 0 && conviction <= 100);
    };
    fc.assert(fc.property(fc.string(), checked));
    const record = fc.record({ verdict: fc.jsonValue(), confidence: fc.jsonValue(), recruits: fc.jsonValue() });
    fc.assert(fc.property(record, (value) => checked(JSON.stringify(value))));
  });

  it("does not take long over many brackets", () => {
    assert.equal(parseReply("{[".repeat(3000)).form, "prose");
  });
});
