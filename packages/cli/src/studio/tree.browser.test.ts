import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import { formatValue } from "@coppice/engine/figures";
import { axeFaults, noBrowser, type StudioPage, until } from "@coppice/studio/browser";
import { coppice, document, file } from "../../test/coppice.ts";
import { assertShown, HOSTILE, studioPages } from "../../test/studio-pages.ts";

interface GraphNode {
  readonly root_rank: number | null;
  readonly ref_name: string;
}

describe("the studio's pages of idea trees", { skip: noBrowser }, () => {
  const { place, open, exported } = studioPages(async (folder) => {
    mkdirSync(join(folder, "ideas"));
    file(folder, "value.txt", "1\n");
    file(folder, "ideas/a.md", `${HOSTILE}\n2\n`);
    file(folder, "ideas/b.md", "3\n");
    file(folder, "ideas/c.md", `${HOSTILE}\n`);
    file(
      folder,
      "coppice.tree.yaml",
      `ideas: { folder: ideas }
steps:
  implement: "tail -n 1 {idea} > value.txt"
  test: "grep -q '[0-9]' value.txt || { cat value.txt; exit 1; }"
  sweep: '{ echo config_id,value; echo "0,$(cat value.txt)"; } > {results}'
score:
  primary: value
  metrics: [{ column: value, weight: 1, better: higher }]
search: { max_depth: 1, beam_width: 1, parallel_backend: inline }
`,
    );
    const git = (...args: string[]) =>
      execFileSync("git", ["-c", "user.name=A", "-c", "user.email=a@example.org", ...args], { cwd: folder });
    git("init", "--quiet", "--initial-branch=main");
    git("add", "--all");
    git("commit", "--quiet", "--message", "Begin");
    const real = await coppice(folder, ["tree", "run", "--quiet"]);
    assert.equal(real.code, 0, real.stderr);
    const large = "--dry-run --ideas-per-node 80 --beam-width 2 --max-depth 2 --sweep-config-limit 1 --quiet";
    const pretended = await coppice(folder, ["tree", "run", ...large.split(" ")]);
    assert.equal(pretended.code, 0, pretended.stderr);
  });

  const fact = (page: StudioPage, name: string) => page.locator(`.idea dt:text-is("${name}") + dd`).textContent();
  const tree = (page: StudioPage) => page.getByRole("group", { name: /^The tree/ });

  /** From the best idea to its neighbours, by keys alone. */
  async function walk(page: StudioPage): Promise<void> {
    const { nodes } = document(await coppice(place, ["tree", "graph", "1", "--json"])) as unknown as {
      readonly nodes: Readonly<Record<string, GraphNode>>;
    };
    await page.locator('section[aria-label="Idea 0002"]').waitFor();
    assert.equal(await fact(page, "Score"), formatValue(nodes["0001"].root_rank ?? Number.NaN));
    assert.equal(await fact(page, "Branch"), nodes["0001"].ref_name);
    await tree(page).focus();
    await page.keyboard.press("ArrowUp");
    await page.locator('section[aria-label="Idea 0001"]').waitFor();
    assert.match((await page.locator(".idea pre").first().textContent()) ?? "", /<img src=x/);
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("ArrowDown");
    await page.locator('section[aria-label="Idea 0003"]').waitFor();
    assert.equal(await fact(page, "State"), "failed");
    assert.equal(await fact(page, "Logs"), "logs/evals/0003");
    assert.match((await page.locator(".idea pre.bad-text").textContent()) ?? "", /<img src=x/);
    await page.locator(".idea summary", { hasText: "test.log" }).click();
    await page.locator(".idea details[open] pre", { hasText: "<img src=x" }).waitFor();
  }

  it("call what failed by its idea while the run is looked at", async () => {
    const { page, close } = await open("run/0/1");
    await page.locator("summary", { hasText: "c.md (evaluation 0003 on node 0000): test ended with" }).waitFor();
    await close();
  });

  it("show what became of each idea, and hostile text as text", async () => {
    const { page, close } = await open("run/0/1/tree");
    await walk(page);
    await page.getByRole("button", { name: "Table" }).click();
    await page.locator(".chart tbody").waitFor();
    assert.equal(await page.locator(".chart tbody tr").count(), 3);
    await assertShown(page, place, "1");
    await close();
  });

  it("fold what a large tree has too much of, and are moved and zoomed", async () => {
    const { page, close } = await open("run/0/2/tree");
    const picture = "document.querySelector('.pannable canvas').toDataURL()";
    /** Does something and waits until it is drawn. */
    const redrawn = async (act: () => Promise<unknown>) => {
      const before = await page.evaluate(picture);
      await act();
      await until(page, `${picture} !== ${JSON.stringify(before)}`);
    };
    await tree(page).focus();
    await page.keyboard.press("ArrowLeft");
    await page.keyboard.press("ArrowLeft");
    await page.locator('section[aria-label="Idea 0000"]').waitFor();
    for (const key of ["Enter", "0", "+"]) await redrawn(() => page.keyboard.press(key));
    const box = await tree(page).boundingBox();
    assert.ok(box !== null);
    await page.mouse.move(box.x + 200, box.y + 200);
    await page.mouse.down();
    await redrawn(() => page.mouse.move(box.x + 100, box.y + 150, { steps: 3 }));
    await page.mouse.up();
    await page.locator('section[aria-label="Idea 0000"]').waitFor();
    await page.getByRole("button", { name: "All 240 ideas" }).click();
    await page.getByRole("button", { name: "Only the best of each node" }).waitFor();
    await close();
  });

  it("are exported, and fit a phone without a serious fault of access", async () => {
    const url = await exported("1");
    const { page, close } = await open(url, { width: 390 });
    await page.locator('.tabs a:text-is("Overview")').click();
    await page.locator("summary", { hasText: "c.md (evaluation 0003 on node 0000): test ended with" }).waitFor();
    await page.locator('.tabs a:text-is("Tree")').click();
    await walk(page);
    assert.deepEqual(await axeFaults(page), []);
    await close();
  });
});
