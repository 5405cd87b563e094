import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import type { TuningReport } from "@coppice/projections";
import type { StudyResult } from "@coppice/search";
import { axeFaults, noBrowser, type StudioPage } from "@coppice/studio/browser";
import { coppice, document, file } from "../../test/coppice.ts";
import { assertShown, HOSTILE, studioPages } from "../../test/studio-pages.ts";
import { TuneFolder } from "../../test/tune-folder.ts";

/** Fails with four layers, in a stranger's words; the least with two of them and kind a. */
const judge = `export default { evaluate(_, { layers, kind }) {
  if (layers === 4) throw new Error(${JSON.stringify(HOSTILE)});
  return { error: Math.abs(layers - 2) + (kind === "a" ? 0 : 1), size: layers };
} };`;
const space = {
  objectives: { error: "minimize", size: "minimize" },
  parameters: [
    { name: "layers", min: 1, max: 4 },
    { name: "kind", values: ["a", HOSTILE] },
  ],
};

/** Judges three configurations at once, and the others when there is a file \`go\`. */
const slow = `import { existsSync } from "node:fs";
let judged = 0;
export default { async evaluate(_, { configuration: { x }, horizons }) {
  while (++judged > 3 && !existsSync("go")) await new Promise((later) => setTimeout(later, 20));
  return Object.fromEntries(horizons.map((horizon, at) => [horizon, Math.abs(x - at)]));
} };`;
const lines = {
  objective: "minimize",
  horizons: ["near", "far"],
  baseline: { x: 9, y: 9 },
  parameters: ["x", "y"].map((name) => ({ name, min: 0, max: 999 })),
};

describe("the studio's pages of tunings", { skip: noBrowser }, () => {
  let sampled: StudyResult;
  let report: TuningReport;
  const {
    place: folder,
    open,
    exported,
  } = studioPages(async (place) => {
    file(place, "judge.mjs", judge);
    file(place, "space.json", JSON.stringify(space));
    const own = "tune --space space.json --evaluator judge.mjs --pool inline --trials 8 --json";
    sampled = document(await coppice(place, own.split(" "))) as unknown as StudyResult;
    const football = new TuneFolder();
    const small = "--num-params 1 --test-values 2 --horizons 1-5,6-9 --holdout 2102 --run-dir";
    const args = [...football.small, ...small.split(" "), join(place, ".coppice/runs")];
    const tuned = await football.coppice("tune", ...args, "--quiet");
    assert.equal(tuned.code, 0, tuned.stderr);
    report = JSON.parse(readFileSync(join(football.folder, "tuned/report.json"), "utf8"));
    football.remove();
  });

  const rowsOf = (page: StudioPage, place: string) =>
    page
      .locator(`${place} tbody tr`)
      .evaluateAll((rows) => rows.map((row) => [...row.children].map((cell) => cell.textContent)));
  const tableOf = async (page: StudioPage, title: string) => {
    const figure = `figure[aria-label=${JSON.stringify(title)}]`;
    await page.locator(figure).getByRole("button", { name: "Table" }).click();
    return rowsOf(page, figure);
  };

  it("say of samples what the command says: every trial, the front, and what is within chosen parts", async () => {
    const { page, close } = await open("run/0/1/tuner");
    const all = await tableOf(page, "All configurations");
    assert.deepEqual(
      all,
      sampled.trials.map(({ point, values, failure }, trial) =>
        [trial + 1, point.layers, point.kind, ...(values ?? ["", ""]), failure ?? ""].map(String),
      ),
    );
    const onFront = (await tableOf(page, "Pareto front"))
      .filter((row) => row[3] === "yes")
      .map(([trial]) => Number(trial) - 1);
    assert.deepEqual(onFront, sampled.front);
    const best = await rowsOf(page, "section[aria-label='Best 6 by error']");
    const errors = sampled.trials.flatMap(({ values }) => values?.[0] ?? []).sort((a, b) => a - b);
    assert.deepEqual(
      best.map(([, error]) => Number(error)),
      errors,
    );
    const points = page.locator("section[aria-label='Points of the Pareto front'].panel");
    await points.getByRole("button", { name: "size", exact: true }).click();
    await points.getByRole("button", { name: "size ↑" }).click();
    const sizes = (await rowsOf(page, "section[aria-label='Points of the Pareto front'].panel")).map((row) =>
      Number(row[2]),
    );
    assert.deepEqual(
      sizes,
      (sampled.front ?? []).map((trial) => sampled.trials[trial].values?.[1] ?? 0).sort((a, b) => b - a),
    );
    const [saved] = await Promise.all([page.waitForEvent("download"), points.getByText("CSV").click()]);
    assert.match(readFileSync(await saved.path(), "utf8"), /^configuration,error,size,layers,kind\r\n/);
    await page.getByLabel("Axis").selectOption({ label: "layers" });
    await page.getByLabel("layers, to").fill("2");
    const within = sampled.trials.filter(({ point }) => Number(point.layers) <= 2).length;
    await page.getByText(`${within} of 8 configurations`).waitFor();
    assert.equal((await rowsOf(page, "figure[aria-label='All configurations']")).length, within);
    assert.match((await page.getByRole("region", { name: "Tuning" }).textContent()) ?? "", /×: <\/script><img/);
    await close();
  });

  it("say of a tournament what its report says: before and after, hold-out, curves", async () => {
    const { page, close } = await open("run/0/2/tuner");
    const [first, second] = await rowsOf(page, "section[aria-label='Before and after']");
    const keys = ["week_1_5", "week_6_9"];
    for (const [row, key] of [first, second].map((row, at) => [row, keys[at]] as const)) {
      const { baseline, tuned, holdout } = report.horizons[key];
      const said = [baseline, tuned, holdout?.baseline, holdout?.tuned].map((side) => side?.aggregate.mae.toFixed(4));
      assert.deepEqual([row[1], row[2], row[5], row[6]], said);
    }
    await page.getByRole("combobox", { name: "Horizon" }).selectOption({ label: "6-9" });
    const curve = report.curves.filter(({ horizon, pass }) => horizon === keys[1] && pass === 0)[0];
    const rows = (await tableOf(page, `${curve.parameter} and 6-9`)).filter((row) => row[3] === "1");
    const points = new Map(rows.map(([value, objective]) => [Number(value), Number(objective)]));
    assert.deepEqual(
      new Map([...points].sort(([a], [b]) => a - b)),
      new Map(curve.points.map(({ value, objective }) => [value, objective])),
    );
    await page.getByRole("region", { name: "Winners over passes", exact: true }).waitFor();
    await assertShown(page, folder, "2");
    await close();
  });

  it("show a tournament that goes on: which parameter, how far, and every value so far", async () => {
    file(folder, "slow.mjs", slow);
    file(folder, "lines.json", JSON.stringify(lines));
    const args = "tune --space lines.json --evaluator slow.mjs --pool inline --test-values 3 --max-passes 1 --id live";
    const ending = coppice(folder, [...args.split(" "), "--quiet"]);
    const { page, close } = await open("", { scheme: "dark" });
    await page.locator('.runs a:text-is("live")').click();
    await page.locator('.tabs a:text-is("Tuner")').click();
    await page.getByText("parameter 1 of 2: x, 16 evaluations").waitFor();
    await page.getByText("Configs: 3 of 8").waitFor();
    await page.locator("section[aria-label='Best 3 by near'].panel").waitFor();
    const shown = (await tableOf(page, "x and near")).map(([value, score]) => [Number(value), Number(score)]);
    assert.deepEqual([shown.length, shown[0]], [3, [9, 9]]);
    for (const [x, score] of shown) assert.equal(x, score);
    assert.deepEqual(await axeFaults(page), []);
    file(folder, "go", "");
    const { code, stderr } = await ending;
    assert.equal(code, 0, stderr);
    await page.locator("section[aria-label='Before and after'].panel").waitFor();
    await close();
  });

  it("are exported, and fit a phone without a serious fault of access", async () => {
    for (const run of ["1", "2"]) {
      const { page, close } = await open(await exported(run), { width: 390 });
      await page.locator('.tabs a:text-is("Tuner")').click();
      await page.locator("figure[aria-label='All configurations']").waitFor();
      assert.deepEqual(await axeFaults(page), []);
      await close();
    }
  });
});
