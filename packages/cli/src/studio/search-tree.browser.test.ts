import assert from "node:assert/strict";
import { cpSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import type { SearchTree } from "@coppice/engine";
import { formatValue } from "@coppice/engine/figures";
import { axeFaults, frameTime, noBrowser, type StudioPage, until } from "@coppice/studio/browser";
import { coppice, file } from "../../test/coppice.ts";
import { assertShown, HOSTILE, studioPages } from "../../test/studio-pages.ts";

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

/** A search of a user's own that says it has grown 10,000 nodes, ten below each. */
const wide = `let asked = 0;
const nodes = Array.from({ length: 10_000 }, (_, at) => ({
  parent: at === 0 ? null : Math.floor((at - 1) / 10), name: "n" + at, prior: at === 0 ? null : 0.1,
  visits: 10_000 - at, value: 1 / (1 + at), best: [0, 1, 11].includes(at),
}));
export default {
  search: () => ({
    ask: () => (asked++ === 0 ? { kind: "candidate", candidate: 1, key: "1" } : { kind: "wait" }),
    tell() { this.ask = () => ({ kind: "done" }); },
    result: () => 1,
    tree: () => ({ nodes, leftOut: 0 }),
  }),
  evaluate: () => 1,
};`;

describe("the studio's pages of tree searches", { skip: noBrowser }, () => {
  let tree: SearchTree;
  const { place, open, exported } = studioPages(async (folder) => {
    file(folder, "words.mjs", words);
    const { code, stderr } = await coppice(folder, ["run", "words.mjs", "--pool", "inline", "--quiet"]);
    assert.equal(code, 0, stderr);
    file(folder, "wide.mjs", wide);
    assert.equal((await coppice(folder, ["run", "wide.mjs", "--pool", "inline", "--quiet"])).code, 0);
    tree = JSON.parse(readFileSync(join(folder, ".coppice/runs/1/search-tree.json"), "utf8"));
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
      assert.equal(await fact(page, "Value"), formatValue(value ?? Number.NaN));
      assert.equal(await fact(page, "Prior"), prior === null ? "it is the root" : formatValue(prior));
    }
    await page.getByRole("button", { name: "Table" }).click();
    await page.locator(".chart tbody").waitFor();
    const actions = await page.locator(".chart tbody td:nth-child(3)").allTextContents();
    assert.deepEqual(
      actions,
      tree.nodes.map(({ name }) => name),
    );
    await assertShown(page, place, "1");
    await close();
  });

  it("are there where a search has a tree, and say what is wrong with a file that is not one", async () => {
    const [none, bad] = ["none", "bad"].map((id) => join(place, ".coppice/runs", id));
    for (const copy of [none, bad]) cpSync(join(place, ".coppice/runs/1"), copy, { recursive: true });
    rmSync(join(none, "search-tree.json"));
    file(bad, "search-tree.json", `{"nodes":[{"id":1}]}`);
    const { page, close } = await open("run/0/none");
    await page.locator(".figures").waitFor();
    assert.equal((await page.locator(".tabs a").allTextContents()).join(), "Overview,Tasks,Files,Settings");
    await page.goto(page.url().replace("none", "bad/tree"));
    await page.getByText("is not as its tool writes it").waitFor();
    for (const copy of [none, bad]) rmSync(copy, { recursive: true });
    await close();
  });

  it("start a run again with changed options, and show the exact command and what became of it", async () => {
    const { page, close } = await open("run/0/1");
    await page.locator("summary", { hasText: "Start again" }).click();
    for (const [at, word] of [
      [6, "--seed"],
      [7, "7"],
    ] as const) {
      await page.getByRole("button", { name: "Another word" }).click();
      await page
        .locator(".again input")
        .nth(at - 1)
        .fill(word);
    }
    const command = "coppice run words.mjs --pool inline --quiet --seed 7";
    assert.equal(await page.locator(".again code").textContent(), command);
    await page.getByRole("button", { name: "Start", exact: true }).click();
    await page.getByText(`${command} ended well`).waitFor({ timeout: 60_000 });
    await page.locator(".brand").click();
    await page.locator('.runs a:text-is("3")').click();
    await page.locator('.tabs a:text-is("Settings")').click();
    assert.equal(await page.locator('dt:text-is("seed") + dd').textContent(), "7");
    await close();
  });

  it("move and zoom 10,000 nodes smoothly, and show any of them", async () => {
    const { page, close } = await open("run/0/2/tree", { scheme: "dark" });
    await page.getByRole("button", { name: "All 9,999 nodes" }).click();
    await page.getByRole("button", { name: "Whole tree" }).click();
    const on =
      "const on = document.querySelector('.pannable canvas'), place = { bubbles: true, clientX: 400 + 9 * i, clientY: 500, pointerId: 1 }";
    const zoom = `${on}; on.dispatchEvent(new WheelEvent("wheel", { ...place, ctrlKey: true, deltaY: -60, cancelable: true }))`;
    const zooming = await frameTime(page, zoom);
    await page.getByRole("button", { name: "Whole tree" }).click();
    const drag = `${on}; on.dispatchEvent(new PointerEvent(i === 0 ? "pointerdown" : "pointermove", { ...place, buttons: 1 }))`;
    await page.evaluate("Element.prototype.setPointerCapture = () => {}");
    const picture = "document.querySelector('.pannable canvas').toDataURL()";
    const whole = await page.evaluate(picture);
    const panning = await frameTime(page, drag);
    assert.ok(zooming < 250 && panning < 250, `${zooming} ms a frame while zooming, ${panning} ms while moving`);
    await until(page, `${picture} !== ${JSON.stringify(whole)}`);
    await page.getByRole("group", { name: /^The tree/ }).press("ArrowLeft");
    await page.locator('section[aria-label="Node 1"]').waitFor();
    assert.deepEqual(await axeFaults(page), []);
    await close();
  });

  it("are exported, fit a phone and have no serious fault of access", async () => {
    const { page, close } = await open(await exported("1"), { width: 390 });
    await page.locator('.tabs a:text-is("Search tree")').click();
    await page.locator(".idea").waitFor();
    assert.deepEqual(await axeFaults(page), []);
    await close();
  });
});
