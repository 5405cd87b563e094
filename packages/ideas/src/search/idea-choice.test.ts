import assert from "node:assert/strict";
import { test } from "node:test";
import type { Idea } from "../contract.ts";
import type { DedupeScope } from "../settings.ts";
import { type IdeaOwner, ideaHash, knownIdeas, selectIdeas } from "./idea-choice.ts";

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

const idea = (textHash: string, name = `${textHash}.md`): Idea => ({ name, path: `n/${name}`, sha256: "", textHash });
const owner = (
  nodeId: string,
  parentNodeId: string | null,
  madeBy: string | null,
  ideas: readonly string[],
): IdeaOwner => ({
  nodeId,
  parentNodeId,
  madeBy: madeBy === null ? null : idea(madeBy),
  ideas: ideas.map((text) => idea(text)),
});

test("T-05: the scope says against which nodes an idea must be new", () => {
  const nodes = new Map(
    [
      owner("0000", null, null, ["a", "b", "c"]),
      owner("0001", "0000", "a", ["d", "e"]),
      owner("0002", "0000", "b", ["f"]),
      owner("0003", "0001", "d", ["own"]),
    ].map((node) => [node.nodeId, node]),
  );
  const node = nodes.get("0003");
  assert.ok(node !== undefined);
  const expected: Readonly<Record<DedupeScope, readonly string[]>> = {
    none: [],
    accepted: ["a", "d"],
    node_plus_ancestors: ["a", "b", "c", "d", "e"],
    global: ["a", "b", "c", "d", "e", "f"],
  };
  for (const [scope, known] of Object.entries(expected)) {
    assert.deepEqual([...knownIdeas(node, nodes, scope as DedupeScope)].sort(), known, scope);
  }
});

test("T-01: the first ideas by lower-case name are taken, in the order of their paths, and skips are not replaced", () => {
  const ideas = [idea("z", "b.md"), idea("y", "A.md"), idea("x", "C.md"), idea("w", "d.md")];
  const { selected, skipped } = selectIdeas(ideas, 3, new Set(["z"]));
  assert.deepEqual(
    selected.map(({ name }) => name),
    ["A.md", "C.md"],
  );
  assert.deepEqual(
    skipped.map(({ idea, reason }) => [idea.name, reason]),
    [["b.md", "known"]],
  );
});
