import assert from "node:assert/strict";
import { test } from "node:test";
import { readOpinion } from "./read-opinion.ts";

test("C-01: every field of the reply format is read, over several lines where it has them", () => {
  const opinion = readOpinion(`VERDICT: CONDITIONAL_GO
CONFIDENCE: 85%
CONVICTION: 70/100
REASONING: The plan is sound.
It lacks a way back, though:
- nobody can undo step 3
INFO_NEEDED:
- How large is the "orders" table?
- Who is on call?
ESCALATE_TO: legal - the licence is unclear
AGREES_WITH: Judge, skeptic
DISAGREES_WITH: critic - too dark
CHANGED_POSITION: STOP -> CONDITIONAL_GO
BLOCKERS: none
RECRUITS: Security - tokens are stored`);
  assert.deepEqual(opinion, {
    verdict: "CONDITIONAL_GO",
    confidence: 85,
    conviction: 70,
    reasoning: "The plan is sound.\nIt lacks a way back, though:\n- nobody can undo step 3",
    infoNeeded: ['How large is the "orders" table?', "Who is on call?"],
    escalations: [{ name: "legal", why: "the licence is unclear" }],
    agreesWith: ["judge", "skeptic"],
    disagreesWith: [{ name: "critic", why: "too dark" }],
    changedPosition: "STOP -> CONDITIONAL_GO",
    blockers: [],
    recruits: [{ name: "security", why: "tokens are stored" }],
    readFrom: "labels",
  });
});

test("JSON is preferred, in whatever case its names are", () => {
  const opinion = readOpinion(
    'VERDICT: STOP\n```json\n{"verdict":"PROCEED","confidence":120,"conviction":-3,"reasoning":"a\\nb","infoNeeded":["x"],"recruits":[{"name":"ux","why":"screens"}],"blockers":[]}\n```',
  );
  assert.equal(opinion.verdict, "PROCEED");
  assert.deepEqual([opinion.confidence, opinion.conviction], [100, 0], "out of range is clamped");
  assert.equal(opinion.reasoning, "a\nb");
  assert.deepEqual(opinion.infoNeeded, ["x"]);
  assert.deepEqual(opinion.recruits, [{ name: "ux", why: "screens" }]);
  assert.equal(opinion.readFrom, "json");
});

test("what is missing has its default, and an invalid verdict is none", () => {
  const { verdict, confidence, conviction } = readOpinion("VERDICT: MAYBE\nREASONING: hm");
  assert.deepEqual([verdict, confidence, conviction], [null, 0, 50]);
  assert.equal(readOpinion("VERDICT: conditional go").verdict, "CONDITIONAL_GO");
  assert.equal(readOpinion("**VERDICT:** **STOP**").verdict, "STOP");
});

test("prose is a marked fallback", () => {
  const clear = readOpinion("On balance we should PROCEED, carefully.");
  assert.deepEqual([clear.verdict, clear.confidence, clear.readFrom], ["PROCEED", 0, "prose"]);
  assert.equal(clear.reasoning, "On balance we should PROCEED, carefully.");
  assert.equal(readOpinion("PROCEED or STOP, who knows").verdict, null);
  assert.equal(readOpinion("").verdict, null);
});
