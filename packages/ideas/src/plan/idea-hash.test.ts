import assert from "node:assert/strict";
import { test } from "node:test";
import { ideaHash } from "./idea-hash.ts";

test("T-05: texts that differ in line ends, indentation, blank lines, bullets and case are one idea", () => {
  const text = "# Cache\n\n- keep results\n- drop old ones\n";
  for (const same of [
    "# Cache\r\n\r\n- keep results\r\n- drop old ones",
    "  # cache\n* keep results\n\n\n   * DROP old ones  ",
  ]) {
    assert.equal(ideaHash(same), ideaHash(text));
  }
});

test("T-05: another word is another idea", () => {
  assert.notEqual(ideaHash("keep results"), ideaHash("keep result"));
  assert.notEqual(ideaHash("a\nb"), ideaHash("ab"));
});
