import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import type { SearchTree } from "@coppice/engine";
import { axeFaults, noBrowser, type StudioPage } from "@coppice/studio/browser";
import { coppice, file } from "../../test/coppice.ts";
import { HOSTILE, studioPages } from "../../test/studio-pages.ts";

/** Words of up to three letters, one of them a stranger's; the longer, the better. */
const words = `import { Mcts } from ${JSON.stringify(import.meta.resolve("@coppice/search"))};
const problem = {
  root: "",
  actions: () => ["a", "b", ${JSON.stringify(HOSTILE)}],
  step: (word, letter) => word + letter[0],
  isTerminal: (word) => word.length === 3,
  key: (word) => word,
};
export default {
  search: ({ seed }) => new Mcts(problem, { seed, budget: { evaluations: 20 } }),
  evaluate: (_, word) => word.length,
};`;

describe("the studio's pages of tree searches", { skip: noBrowser }, () => {
  let tree: SearchTree;
  const { open, exported } = studioPages(async (place) => {
    file(place, "words.mjs", words);
    const { code, stderr } = await coppice(place, ["run", "words.mjs", "--pool", "inline", "--quiet"]);
    assert.equal(code, 0, stderr);
    tree = JSON.parse(readFileSync(join(place, ".coppice/runs/1/search-tree.json"), "utf8"));
  });
  const fact = (page: StudioPage, name: string) => page.locator(`.idea dt:text-is("${name}") + dd`).textContent();

  it("show every node with its prior, value and visits, by keys alone, hostile actions as text", async () => {
    const { page, close } = await open("run/0/1/tree");
    const best = tree.nodes.findLastIndex((node) => node.best);
    await page.locator(`section[aria-label="Node ${best}"]`).waitFor();
    assert.equal(await fact(page, "Visits"), String(tree.nodes[best].visits));
    await page.getByRole("group", { name: /^The tree/ }).focus();
    for (let at: number | null = tree.nodes[best].parent; at !== null; at = tree.nodes[at].parent) {
      await page.keyboard.press("ArrowLeft");
      await page.locator(`section[aria-label="Node ${at}"]`).waitFor();
      const { visits, value, prior } = tree.nodes[at];
      assert.equal(await fact(page, "Visits"), String(visits));
      assert.equal(await fact(page, "Value"), String(value));
      assert.equal(await fact(page, "Prior"), prior === null ? "it is the root" : String(prior));
    }
    await page.getByRole("button", { name: "Table" }).click();
    const actions = await page.locator(".chart tbody td:nth-child(3)").allTextContents();
    assert.deepEqual(
      actions,
      tree.nodes.map(({ name }) => name),
    );
    await close();
  });

  it("are exported, fit a phone and have no serious fault of access", async () => {
    for (const scheme of ["light", "dark"] as const) {
      const { page, close } = await open(await exported("1"), { scheme, width: 390 });
      await page.locator('.tabs a:text-is("Search tree")').click();
      await page.locator(".idea").waitFor();
      assert.deepEqual(await axeFaults(page), []);
      await close();
    }
  });
});
