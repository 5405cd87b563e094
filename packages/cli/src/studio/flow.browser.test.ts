import assert from "node:assert/strict";
import { cpSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import { pathToFileURL } from "node:url";
import { encodeInstance } from "@coppice/airspace";
import { cutDownDay } from "@coppice/airspace/cut-down-day";
import { formatCount } from "@coppice/engine/figures";
import { axeFaults, noBrowser, type StudioPage, until } from "@coppice/studio/browser";
import { coppice, document } from "../../test/coppice.ts";
import { assertShown, HOSTILE, studioPages } from "../../test/studio-pages.ts";

describe("the studio's pages of planned days", { skip: noBrowser }, () => {
  const { place, url, open, exported } = studioPages(async (folder) => {
    const real = cutDownDay();
    const volumeDetails = real.volumeIds.map((_, volume) => (volume < 3 ? { label: `${HOSTILE} ${volume}` } : {}));
    writeFileSync(join(folder, "day.bin"), encodeInstance({ ...real, volumeDetails }));
    for (const seed of ["1", "2"]) {
      const plan = "flow plan --instance day.bin --evaluations 300 --roots 1 --pool inline --quiet --seed".split(" ");
      const { code, stderr } = await coppice(folder, [...plan, seed]);
      assert.equal(code, 0, stderr);
    }
  });
  const day = ["--instance", "day.bin"];

  const scoreOf = async (plan: string) =>
    document(await coppice(place, ["flow", "score", ...day, "--plan", plan, "--json"])) as unknown as {
      readonly before: { readonly objective: number };
      readonly after: { readonly objective: number; readonly delayMinutes: number; readonly exceedance: number };
      readonly hotspots: { readonly before: number; readonly after: number };
      readonly lines: readonly object[];
    };
  const column = (page: StudioPage, number: number) =>
    page.locator(`.score tbody td:nth-child(${number})`).evaluateAll((cells) => cells.map((cell) => cell.title));

  /** The page says of a plan what the command says: with the plan (column 3), or as somebody changed it (column 4). */
  async function assertSame(page: StudioPage, number: number, plan: string): Promise<void> {
    const { after: score, hotspots, lines } = await scoreOf(plan);
    const said = [score.objective, score.exceedance, score.delayMinutes, hotspots.after, lines.length];
    assert.deepEqual(await column(page, number), said.map(String));
  }

  /** Changes the plan in the page, saves it and scores it. */
  async function changeAndSave(page: StudioPage, name: string): Promise<void> {
    await page.getByLabel(/^Regulation 1,/).uncheck();
    await page.locator(".regulations button").nth(1).click();
    await page.getByLabel("Rate", { exact: true }).press("ArrowRight");
    await page.getByLabel("From", { exact: true }).press("ArrowRight");
    await until(page, "performance.getEntriesByName('what-if').length > 0");
    const [saved] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("button", { name: "Save as a plan file" }).click(),
    ]);
    await saved.saveAs(join(place, name));
    await assertSame(page, 4, name);
  }

  it("say of a plan what flow score says, and of a changed one to the last digit", async () => {
    const { page, close } = await open("run/0/1/plan");
    await page.locator(".regulations").waitFor();
    await assertSame(page, 3, ".coppice/runs/1/plan.json");
    await changeAndSave(page, "changed.json");
    await page.getByRole("button", { name: "Back to the plan" }).click();
    await page.locator(".score th").nth(3).waitFor({ state: "detached" });
    await assertShown(page, place, "1");
    await close();
  });

  it("show a plan as soon as its file is there, which is after the run's end", async () => {
    const runs = join(place, ".coppice/runs");
    cpSync(join(runs, "2"), join(runs, "late"), { recursive: true });
    rmSync(join(runs, "late/plan.json"));
    const { origin, search } = new URL(url());
    const planned = async () => {
      const answer = await fetch(`${origin}/api/runs/0/late/view${search}`);
      return ((await answer.json()) as { readonly plan: readonly object[] }).plan.length;
    };
    assert.equal(await planned(), 0);
    cpSync(join(runs, "2/plan.json"), join(runs, "late/plan.json"));
    assert.ok((await planned()) > 0);
    rmSync(join(runs, "late"), { recursive: true });
  });

  it("show the day at any time on a map, and a volume's demand", async () => {
    const { page, close } = await open("run/0/1/plan");
    const time = page.locator(".slider output");
    await page.getByLabel("Time of the day").fill("50");
    assert.equal(await time.textContent(), "20:30 UTC");
    await page.getByRole("button", { name: "Play" }).click();
    await time.filter({ hasNotText: "20:30" }).waitFor();
    await page.getByRole("button", { name: "Pause" }).click();
    await page.locator("figure[aria-label=Map] canvas").hover();
    await page.locator("figure[aria-label=Map] .readout", { hasText: "in the hour from" }).waitFor();
    // The same by keys: from volume to volume, and Enter chooses one.
    await page.locator("figure[aria-label=Map] .by-keys").focus();
    for (const key of ["End", "ArrowLeft", "ArrowDown", "Enter"]) await page.keyboard.press(key);
    const [named] = ((await page.locator("figure[aria-label=Map] .readout").textContent()) ?? "").split(": ");
    assert.equal(await page.getByLabel("Volume", { exact: true }).locator("option:checked").textContent(), named);
    await page.getByLabel("Volume", { exact: true }).selectOption({ index: 2 });
    const demand = page.locator("figure[aria-label='Demand and capacity']");
    await demand.getByRole("button", { name: "Table" }).click();
    await demand.locator("tbody").waitFor();
    assert.equal(await demand.locator("tbody tr").count(), 96);
    await close();
  });

  it("number regulations on the map as in the list, also while others are switched off", async () => {
    const { page, close } = await open("run/0/1/plan");
    const map = page.locator("figure[aria-label=Map]");
    /** Numbers on the map, as it is saved. */
    const numbers = async () => {
      const [saved] = await Promise.all([
        page.waitForEvent("download"),
        map.getByRole("button", { name: "SVG" }).click(),
      ]);
      const drawn = readFileSync(await saved.path(), "utf8").matchAll(/text-anchor="middle"[^>]*>([\d, ]+)</g);
      return [...drawn].flatMap(([, text]) => text.split(", "));
    };
    await page.locator(".regulations button").nth(1).click();
    const all = await numbers();
    assert.ok(all.includes("2"), `the second is on the map when its window begins: ${all}`);
    await page.getByLabel(/^Regulation 1,/).uncheck();
    await until(page, "performance.getEntriesByName('what-if').length > 0");
    const left = await numbers();
    const expected = all.filter((number) => number !== "1");
    assert.ok(expected.every((number) => left.includes(number)) && !left.includes("1"), `${all}, then ${left}`);
    await page.getByLabel(/^Regulation 2,/).uncheck();
    await until(page, "performance.getEntriesByName('what-if').length > 1");
    assert.ok(!(await numbers()).includes("2"));
    await page.getByRole("checkbox", { name: "with the plan" }).uncheck();
    assert.deepEqual(await numbers(), []);
    await close();
  });

  it("say what robustness against the weather costs, and fit a phone", async () => {
    const words = "flow plan --instance day.bin --evaluations 100 --robust 2 --walkers 1 --rounds 2 --pool inline";
    const { robustness } = document(
      await coppice(place, [...words.split(" "), "--id", "robust", "--json"]),
    ) as unknown as { readonly robustness: { readonly robust: { readonly forecast: number } } };
    const { page, close } = await open("run/0/robust/search");
    const weather = page.locator("section[aria-label=Weather].panel tbody tr").nth(2);
    await weather.waitFor();
    assert.equal(await weather.locator("td").nth(1).textContent(), robustness.robust.forecast.toFixed(1));
    assert.deepEqual(await axeFaults(page), []);
    await close();
  });

  it("draw the search as a tree: the best path, and each plan with its worth", async () => {
    const { result } = JSON.parse(readFileSync(join(place, ".coppice/runs/1/result.json"), "utf8")) as {
      readonly result: { readonly best: { readonly tree: Record<"parent" | "objective" | "lines", number[]> } };
    };
    const { parent, objective, lines } = result.best.tree;
    const best = objective.indexOf(Math.min(...objective));
    const { page, close } = await open("run/0/1/search", { width: 390 });
    const fact = (plan: number, name: string) =>
      page.locator(`section[aria-label="Plan ${plan}"] dt:text-is("${name}") + dd`).textContent();
    const worth = (plan: number) =>
      page.locator(`section[aria-label="Plan ${plan}"] dt:text-is("J") + dd`).getAttribute("title");
    assert.equal(await worth(best), String(objective[best]));
    assert.match((await fact(best, "Prior")) ?? "", /^0\.0625, /);
    assert.equal(await fact(best, "Regulations"), String(lines[best]));
    await page.getByRole("group", { name: /^The tree/ }).press("ArrowLeft");
    assert.equal(await worth(parent[best]), String(objective[parent[best]]));
    assert.ok(Number(await fact(parent[best], "Visits")) >= 2);
    const tree = page.locator("figure[aria-label='Tree of plans']");
    await tree.getByRole("button", { name: "Table" }).click();
    await tree.locator("tbody").waitFor();
    assert.equal(await tree.locator("tbody tr").count(), parent.length);
    assert.deepEqual(await axeFaults(page), []);
    await close();
  });

  it("are exported with the plan, which is changed and saved without a server", async () => {
    const { page, close } = await open(await exported("1"));
    await page.locator('.tabs a:text-is("Plan")').click();
    await changeAndSave(page, "exported.json");
    assert.match((await page.getByLabel("Volume", { exact: true }).textContent()) ?? "", /<img src=x/);
    await close();
  });

  it("say in the run's own page how walkers found the plan, and what delay buys", async () => {
    const plan = [
      "flow",
      "plan",
      ...day,
      ..."--evaluations 200 --front 0.1 --walkers 2 --rounds 3 --pool inline".split(" "),
    ];
    const found = document(await coppice(place, [...plan, "--id", "walked", "--json"])) as unknown as {
      readonly front: readonly { readonly delayMinutes: number }[];
    };
    const walked = pathToFileURL(join(place, ".coppice/runs/walked/report.html")).href;
    const { page, close } = await open(walked, { scheme: "dark", width: 390 });
    await assertSame(page, 3, ".coppice/runs/walked/plan.json");
    await page.locator('.tabs a:text-is("Search")').click();
    const rounds = page.locator("section[aria-label=Rounds] tbody tr");
    await rounds.first().waitFor();
    assert.equal(await rounds.count(), 3);
    const walkers = page.locator("figure[aria-label=Walkers]");
    const [saved] = await Promise.all([
      page.waitForEvent("download"),
      walkers.getByRole("button", { name: "SVG" }).click(),
    ]);
    assert.equal(
      readFileSync(await saved.path(), "utf8").split("<circle").length - 1,
      2 * 3,
      "each walker of each round",
    );
    const bought = page.locator("section[aria-label=Front] tbody td:nth-child(2)");
    assert.deepEqual(
      await bought.allTextContents(),
      found.front.map(({ delayMinutes }) => formatCount(delayMinutes)),
    );
    assert.deepEqual(await axeFaults(page), []);
    await close();
  });

  it("show a day without a run", async () => {
    await coppice(place, ["flow", "hotspots", ...day, "--plan", ".coppice/runs/1/plan.json", "--report", "day.html"]);
    const { page, close } = await open(pathToFileURL(join(place, "day.html")).href);
    await assertSame(page, 3, ".coppice/runs/1/plan.json");
    const { hotspots } = await scoreOf(".coppice/runs/1/plan.json");
    assert.equal(await page.locator("section.panel[aria-label*=hotspots] tbody tr").count(), hotspots.after);
    assert.deepEqual(await axeFaults(page), []);
    await close();
  });

  it("offer nothing to switch off or to save where there is no plan", async () => {
    await coppice(place, ["flow", "hotspots", ...day, "--report", "bare.html"]);
    const { page, close } = await open(pathToFileURL(join(place, "bare.html")).href, { width: 390 });
    await page.getByText("There is no plan yet").waitFor();
    assert.deepEqual(await page.locator(".score th").allTextContents(), [cutDownDay().name, "Without"]);
    assert.equal(await page.getByRole("button", { name: "Save as a plan file" }).count(), 0);
    assert.equal(await page.getByRole("checkbox").count(), 0);
    assert.deepEqual(await axeFaults(page), []);
    await close();
  });

  it("compare two plans on a map", async () => {
    const { page, close } = await open("compare/0/1/0/2");
    const map = page.locator("figure[aria-label='Difference of the plans']");
    await map.getByRole("button", { name: "Table" }).click();
    const sums = await map
      .locator("tbody tr")
      .evaluateAll((rows) => rows.reduce((sum, row) => sum + Number(row.children[4].textContent), 0));
    const [one, two] = await Promise.all(["1", "2"].map((run) => scoreOf(`.coppice/runs/${run}/plan.json`)));
    assert.equal(sums, two.after.exceedance - one.after.exceedance);
    await close();
  });

  it("have no serious fault of access, light or dark, and fit a phone", async () => {
    for (const [path, shows] of [
      ["run/0/1/plan", ".regulations"],
      ["compare/0/1/0/2", "figure[aria-label='Difference of the plans']"],
    ]) {
      const { page, close } = await open(path, { width: 390 });
      await page.locator(shows).waitFor();
      if (path.endsWith("/plan")) await page.locator(".regulations button").first().click();
      assert.deepEqual(await axeFaults(page), [], path);
      await close();
    }
  });
});
