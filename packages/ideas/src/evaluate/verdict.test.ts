import assert from "node:assert/strict";
import { test } from "node:test";
import { knownIssues, readReview } from "./verdict.ts";

test("the verdict is the first line's; both words there are a rejection, neither is no verdict", () => {
  const verdicts: readonly (readonly [string, string])[] = [
    ["APPROVE\nREJECT", "approve"],
    ["Verdict: approved", "approve"],
    ["**REJECT** because", "reject"],
    ["I would not APPROVE: REJECT", "reject"],
    ["\n\n  APPROVE", "approve"],
    ["Looks fine\nAPPROVE", "unknown"],
    ["disapprove", "unknown"],
    ["", "unknown"],
  ];
  for (const [text, verdict] of verdicts) assert.equal(readReview(text).verdict, verdict, JSON.stringify(text));
});

test("issues are the lines between ISSUES and NOTES", () => {
  const text = "REJECT\r\nISSUES:\r\n- slow\r\n\r\n- wrong sign\r\nNOTES:\r\n- nice";
  assert.deepEqual(readReview(text).issues, ["- slow", "- wrong sign"]);
  assert.deepEqual(readReview("REJECT\nISSUES: one line").issues, ["one line"]);
  assert.deepEqual(readReview("APPROVE\nISSUES:\n- none\nNOTES:").issues, []);
  assert.deepEqual(readReview("APPROVE\nall good").issues, []);
});

test("later rounds may only insist on what the first one raised", () => {
  assert.deepEqual(knownIssues(["-  Wrong   SIGN", "- new wish"], ["- slow", "- wrong sign"]), ["-  Wrong   SIGN"]);
});
