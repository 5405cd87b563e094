import assert from "node:assert/strict";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { pathToFileURL } from "node:url";
import { type Browser, chromium, type Page } from "playwright-core";
import { usDay } from "../instance/us-day.ts";
import type { Plan } from "../network/regulation.ts";
import { scoreFromScratch } from "../network/score-from-scratch.ts";
import { defaultWeights } from "../network/weights.ts";
import { makePlan } from "../planner/make-plan.ts";
import { walkPlan } from "../planner/population/walk-plan.ts";
import { RootSearch } from "../planner/root-search.ts";
import { dayReport } from "./day-report.ts";

const executablePath = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"].find(existsSync);
const flags =
  "--headless --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking --disable-component-update --disable-sync";

describe("the report of a real day in a browser", {
  skip: executablePath === undefined && "no Chromium is installed",
}, () => {
  const directory = mkdtempSync(join(tmpdir(), "coppice-day-"));
  const instance = usDay();
  const plan: Plan = [
    { volume: instance.volumeIds.indexOf("ARR:LGA"), fromBin: 44, toBin: 62, flows: 63, ratePerHour: 19 },
    { volume: instance.volumeIds.indexOf("822667fffffffff"), fromBin: 60, toBin: 67, flows: 63, ratePerHour: 239 },
  ];
  let browser: Browser;

  before(async () => {
    browser = await chromium.launch({ executablePath: executablePath ?? "", args: flags.split(" ") });
  });
  after(async () => {
    await browser?.close();
    rmSync(directory, { recursive: true, force: true });
  });

  async function open(
    input: Omit<Parameters<typeof dayReport>[0], "instance" | "weights">,
    name: string,
  ): Promise<Page> {
    const file = join(directory, `${name}.html`);
    writeFileSync(file, dayReport({ instance, weights: defaultWeights, ...input }));
    const page = await browser.newPage({ viewport: { width: 1100, height: 900 } });
    const complaints: string[] = [];
    page.on("console", (message) => complaints.push(message.text()));
    page.on("pageerror", (error) => complaints.push(error.message));
    page.on("request", (request) => {
      if (request.url() !== pathToFileURL(file).href) complaints.push(`asked for ${request.url()}`);
    });
    await page.goto(pathToFileURL(file).href);
    assert.deepEqual(complaints, []);
    assert.equal(
      await page.evaluate("document.documentElement.scrollWidth > document.documentElement.clientWidth"),
      false,
      "nothing is wider than the window",
    );
    return page;
  }

  it("draws every volume where it is, the ones above capacity shaded", async () => {
    const page = await open({}, "before");
    assert.equal(await page.locator("#map svg").count(), 1);
    assert.equal(await page.locator("#map .volume").count(), 329);
    assert.equal(await page.locator("#map .volume:not(.shade-0)").count(), 23, "volumes with a hotspot");
    const place = async (id: string) => {
      const box = await page.locator(`#map [data-volume="${id}"]`).boundingBox();
      assert.ok(box !== null, id);
      return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
    };
    const names = await Promise.all((await page.locator("#map .place").all()).map((name) => name.boundingBox()));
    assert.ok(names.length >= 4, `only ${names.length} names`);
    for (const [i, a] of names.entries()) {
      for (const b of names.slice(i + 1)) {
        assert.ok(a !== null && b !== null);
        const apart = a.x + a.width <= b.x || b.x + b.width <= a.x || a.y + a.height <= b.y || b.y + b.height <= a.y;
        assert.ok(apart, "no name lies over another");
      }
    }
    const [sfo, bos, mia] = [await place("ARR:SFO"), await place("ARR:BOS"), await place("ARR:MIA")];
    assert.ok(sfo.x < mia.x && mia.x < bos.x, "San Francisco west of Miami west of Boston");
    assert.ok(bos.y < sfo.y && sfo.y < mia.y, "Boston north of San Francisco north of Miami");
    await page.close();
  });

  it("draws demand against capacity and fills what is above", async () => {
    const page = await open({}, "charts");
    assert.equal(await page.locator("#charts svg").count(), 12);
    const filled = await page.locator("#charts .over").first().boundingBox();
    assert.ok(filled !== null && filled.width > 5 && filled.height > 5);
    assert.equal(await page.locator("#hotspots + .panel tbody tr").count(), 46);
    assert.equal(await page.locator("#charts .was").count(), 0);
    await page.close();
  });

  it("shows before and after when there is a plan", async () => {
    const page = await open({ plan }, "after");
    assert.equal(await page.locator("#map svg").count(), 2);
    assert.equal(await page.locator("#charts .was").count(), 12);
    assert.equal(await page.locator("#plan + .panel tbody tr").count(), 2);
    assert.match((await page.locator(".tiles").textContent()) ?? "", /exceedance2,082 → \d/);
    await page.setViewportSize({ width: 390, height: 800 });
    assert.equal(await page.evaluate("document.documentElement.scrollWidth"), 390, "and it fits a telephone");
    await page.close();
  });

  it("shows how the plan was found: a line per root, the tree, and what each worker did", async () => {
    const options = { policy: "default", seed: 4, evaluations: 1200, without: [] } as const;
    const search = new RootSearch(options, 2);
    for (let proposal = search.ask(); proposal.kind === "candidate"; proposal = search.ask()) {
      search.tell({ ok: true, value: makePlan(instance, defaultWeights, { ...options, ...proposal.candidate }) });
    }
    const result = search.result();
    const { best, bestRoot } = result;
    assert.ok(best?.tree !== undefined && bestRoot !== undefined);
    const span = { fromMs: 0, toMs: 900, ok: true };
    const timeline = {
      lengthMs: 1000,
      sessionsMs: [],
      stepMs: 500,
      spans: [0, 1].map((worker) => ({ ...span, worker, ask: worker, key: `root/${worker}` })),
      rows: [0, 1].map((worker) => ({ worker, busy: [1, 0.8], failed: [0, 0] })),
    };
    const { tree } = best;
    const page = await open({ plan: best.plan, search: { result, timeline } }, "search");
    assert.equal(await page.locator(".root-line").count(), 2);
    assert.equal(
      await page.locator(".root-line.best title").textContent(),
      `root ${bestRoot}: ${best.score.objective.toFixed(1)}`,
    );
    assert.equal(await page.locator("#roots tbody tr").count(), 2);
    const nodes = page.locator("#tree + .panel circle.node:not(.trunk-node)");
    assert.equal(await nodes.count(), tree.parent.length);
    const box = async (which: number) =>
      await page.locator("#tree + .panel circle.trunk-node").nth(which).boundingBox();
    const [first, last] = [await box(0), await box(-1)];
    assert.ok(first !== null && last !== null && first.x < last.x && first.y < last.y, "the trunk goes right and down");
    assert.equal(await page.locator("#timeline rect.busy").count(), 2);
    await page.close();
  });

  it("shows every walker of every round, who went on with whose plan, and the way to the best", async () => {
    const options = { policy: "default", seed: 4, evaluations: 1600, without: [] } as const;
    const result = walkPlan(instance, defaultWeights, options, { walkers: 4, rounds: 5 });
    const { best, bestAt, rounds } = result;
    assert.ok(best !== undefined && bestAt !== undefined);
    const page = await open({ plan: best.plan, search: { result } }, "walkers");
    assert.equal(await page.locator("circle.walker:not(.of-best)").count(), 20);
    assert.equal(await page.locator("circle.of-best").count(), bestAt.round + 1);
    assert.equal(await page.locator("#rounds tbody tr").count(), 5);
    const handed = rounds[3].walkers.flatMap(({ from }, walker) => (from === walker ? [] : [`${from} → ${walker}`]));
    const row = (await page.locator("#rounds tbody tr").nth(3).textContent()) ?? "";
    assert.ok(row.endsWith(handed.join(", ")) && handed.length === 2, row);
    assert.match(
      (await page.locator("#convergence + .panel figcaption").textContent()) ?? "",
      new RegExp(`J ${best.score.objective.toFixed(1)}`),
    );
    await page.close();
  });

  it("draws a front with its labels apart, also on a phone", async () => {
    const options = { policy: "default" as const, seed: 1, evaluations: 200, without: [] };
    const result = walkPlan(instance, defaultWeights, options, { walkers: 1, rounds: 2 });
    const points = [
      [0.16, 700, 1900],
      [0.08, 3000, 1600],
      [0.02, 3100, 1590],
      [0.005, 60_000, 100],
      [0.0025, 100_000, 30],
    ];
    const front = points.map(([delayMinute, delayMinutes, exceedance]) => ({
      delayMinute,
      plan,
      score: { ...scoreFromScratch(instance, plan, defaultWeights).score, delayMinutes, exceedance },
      onFront: true,
    }));
    const page = await open({ plan, search: { result: { ...result, front } } }, "front");
    for (const width of [1100, 380]) {
      await page.setViewportSize({ width, height: 800 });
      const chart = await page.locator("#front + .panel svg").boundingBox();
      const labels = await Promise.all((await page.locator(".front-label").all()).map((label) => label.boundingBox()));
      assert.equal(await page.locator(".front-point").count(), points.length + 1);
      assert.ok(chart !== null && chart.width < width && labels.length >= 4);
      for (const [i, a] of labels.entries()) {
        assert.ok(a !== null && a.x + a.width <= chart.x + chart.width + 1, "inside the picture");
        for (const b of labels.slice(i + 1)) {
          assert.ok(b !== null);
          const apart =
            a.x + a.width <= b.x || b.x + b.width <= a.x || a.y + a.height <= b.y + 1 || b.y + b.height <= a.y + 1;
          assert.ok(apart, "no label lies over another");
        }
      }
    }
    await page.close();
  });
});
