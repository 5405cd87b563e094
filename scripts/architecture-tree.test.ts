import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { describe, it } from "node:test";
import { blockOf, foldersOnDisk, readTree, treeDifferences, treeText } from "./architecture-tree.ts";

describe("the tree in docs/architecture.md", () => {
  const page = readFileSync(new URL("../docs/architecture.md", import.meta.url), "utf8");

  it("is the tree on disk, with a meaning for every folder", () => {
    const why = "run: node scripts/architecture-tree.ts, and say what a new folder is for";
    assert.deepEqual(treeDifferences(foldersOnDisk(), readTree(blockOf(page))), [], why);
  });

  it("is laid out as the script would", () => {
    assert.equal(blockOf(page), treeText(foldersOnDisk(), readTree(blockOf(page))));
  });
});

for (const name of ["architecture.md", "security.md"]) {
  describe(`the files that docs/${name} names`, () => {
    it("are there", () => {
      const page = readFileSync(new URL(`../docs/${name}`, import.meta.url), "utf8");
      const named = [...page.matchAll(/`(packages\/[\w./-]+)`/g)].map(([, path]) => path);
      assert.ok(named.length > 20);
      assert.deepEqual(
        named.filter((path) => !existsSync(new URL(`../${path}`, import.meta.url))),
        [],
      );
    });
  });
}

describe("the comparison of a tree with folders", () => {
  const tree = readTree(
    "engine/       the loop\n  pools/      workers\n    worker/   inside one\nsearch/       searches\n",
  );

  it("reads what it prints", () => {
    const folders = ["engine", "engine/pools", "engine/pools/worker", "search"];
    assert.deepEqual([...tree.keys()], folders);
    assert.deepEqual(readTree(treeText(folders, tree)), tree);
    assert.deepEqual(treeDifferences(folders, tree), []);
  });

  it("names a folder without a line, a line without a folder, and a line without a meaning", () => {
    assert.deepEqual(treeDifferences(["engine", "engine/pools", "engine/cache", "search"], tree), [
      "engine/cache/ is on disk and has no line",
      "engine/pools/worker/ has a line and is not on disk",
    ]);
    const added = readTree(treeText(["engine", "engine/cache"], tree));
    assert.deepEqual(treeDifferences(["engine", "engine/cache"], added), ["engine/cache/ has no meaning yet"]);
  });
});
