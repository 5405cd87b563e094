import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { freeName, ideaFileName } from "./idea-file.ts";
import { ideasInReply } from "./idea-reply.ts";

test("a reply's idea is what follows IDEA:, with RATIONALE: and REQUIRED_CHANGES:, as text or as headings", () => {
  const forms = [
    "Sure!\nIDEA: Cache results\nRATIONALE: it is slow\nREQUIRED_CHANGES:\n- a.ts",
    "**IDEA:** Cache results\n**Rationale:** it is slow\n**REQUIRED_CHANGES:** a.ts",
    "## IDEA\n\nCache results\n\n## RATIONALE\nit is slow\n## Required changes\n- a.ts",
    "IDEA:\r\nCache results\r\nRATIONALE: x\r\nREQUIRED_CHANGES: y",
  ];
  for (const form of forms) {
    const [idea, ...others] = ideasInReply(form);
    assert.deepEqual(others, []);
    assert.ok(idea.usable, form);
    assert.equal(idea.title, "Cache results");
    assert.doesNotMatch(idea.text, /Sure|\r/);
  }
});

test("one reply may hold several ideas; one that lacks a part says which; a mere mention is none", () => {
  const reply =
    "IDEA: one\nRATIONALE: r\nREQUIRED_CHANGES: c\nIDEA: two\nREQUIRED_CHANGES: c\nIDEA:\nRATIONALE: r\nREQUIRED_CHANGES: c";
  assert.deepEqual(
    ideasInReply(reply).map((idea) => (idea.usable ? idea.title : idea.reason)),
    ["one", "it has no RATIONALE:", "nothing follows IDEA:"],
  );
  assert.deepEqual(ideasInReply("The idea is to wait.\nIdea of mine\n"), []);
});

test("idea files are NNN_<slug of at most 60>.md, and never a name that is taken", () => {
  assert.equal(ideaFileName(7, "Cache the Résultats (quickly)!"), "007_cache_the_resultats_quickly.md");
  assert.equal(ideaFileName(1, "../../--x\n"), "001_x.md");
  assert.equal(ideaFileName(1234, "日本語"), "1234_idea.md");
  assert.deepEqual(
    [freeName("a.md", ["b.md"]), freeName("a.md", ["A.md"]), freeName("a.md", ["a.md", "a_2.md"])],
    ["a.md", "a_2.md", "a_3.md"],
  );
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 99_999 }),
      fc.string({ unit: "grapheme", maxLength: 200 }),
      (number, title) => {
        assert.match(ideaFileName(number, title), /^\d{3,}_[a-z0-9_]{1,60}\.md$/);
      },
    ),
  );
});
