import assert from "node:assert/strict";
import { test } from "node:test";
import { newRequests } from "../council/look-up/info-request.ts";
import { checkCitations } from "../digest/citations.ts";
import { parseReply } from "./parse-reply.ts";

/** What models could answer with for ever: each once made some pattern try all ways through it. */
const units = [
  " ",
  "\t",
  ",",
  "; ",
  "-",
  "~",
  "`  ",
  "\n",
  "\r",
  "( ,",
  "[{",
  '{"',
  "a-",
  "a/",
  "a.ts:",
  "VERDICT ** ",
  "_",
];

test("an answer is read in proportion to its length, whatever it repeats", () => {
  for (const unit of units) {
    const text = unit.repeat(Math.ceil(30_000 / unit.length));
    const begin = performance.now();
    parseReply(text);
    parseReply(`VERDICT: PROCEED\nREASONING: ${text}\nESCALATE_TO: ${text}`);
    checkCitations(`made/up.ts:99 ${text}`, "src/a.ts", 10);
    newRequests([{ by: "judge", text }], new Set());
    const took = performance.now() - begin;
    // Quadratic ways took from a quarter of a minute to several minutes.
    assert.ok(took < 10_000, `${JSON.stringify(unit)} took ${Math.round(took)} ms`);
  }
});
