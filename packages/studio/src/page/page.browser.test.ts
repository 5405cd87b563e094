import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { pathToFileURL } from "node:url";
import { inline, threads } from "@coppice/engine";
import { formatCount, formatValue } from "@coppice/engine/figures";
import { readReport, summarizeRun } from "@coppice/engine/records";
import { soak } from "@coppice/engine/soak";
import type { Browser, Page } from "playwright-core";
import { axeFaults, frameTime, noBrowser, openBrowser, watchedPage } from "../../test/browser.ts";
import { beginRun } from "../../test/recorded-run.ts";
import { type OpenStudio, openStudio } from "../server/open-studio.ts";
import { exportRun } from "./export-run.ts";

const HOSTILE = `<img src=x onerror="document.title='broken'"><script>document.title="broken"</script>`;
/** Six times as long as a frame takes on a quiet machine. */
const SMOOTH_MS = 100;
const SMOOTH_TRIES = 20;
const LONG = soak(5_000, 100_000);

describe("the studio's page", { skip: noBrowser }, () => {
  const scratch = mkdtempSync(join(tmpdir(), "coppice-page-"));
  const runs = join(scratch, "runs");
  let studio: OpenStudio;
  let browser: Browser;

  before(async () => {
    mkdirSync(runs);
    const resumed = { tasks: 60, failEvery: 20, delayMs: 2, pool: threads({ workers: 2 }) };
    const first = await beginRun(join(runs, "1"), resumed);
    first.subscribe((event) => {
      if (event.type === "completed" && event.ask >= 15) first.interrupt("enough for now");
    });
    await first.finished.catch(() => {});
    await (await beginRun(join(runs, "1"), { ...resumed, resume: true })).finished;
    await (await beginRun(join(runs, "2"), { tasks: 8, text: HOSTILE, failEvery: 4, pool: inline() })).finished;
    await (await beginRun(join(runs, "3"), { tasks: LONG, pool: inline() })).finished;
    const tells = { tasks: 20, failEvery: 7, text: HOSTILE, tells: true, pool: threads({ workers: 1, chunk: 4 }) };
    await (await beginRun(join(runs, "tells"), tells)).finished;
    studio = await openStudio({
      places: [runs],
      command: { program: process.execPath, args: ["-v"], name: "coppice" },
    });
    browser = await openBrowser();
  });
  after(async () => {
    await browser?.close();
    await studio?.close();
    rmSync(scratch, { recursive: true, force: true });
  });

  const open = (path: string, scheme: "light" | "dark" = "light", width = 1280) =>
    watchedPage(browser, `${studio.url}#/${path}`, { scheme, width });

  const text = async (page: Page, selector: string) => {
    await page.locator(selector).first().waitFor();
    return (await page.locator(selector).allTextContents()).join(" ");
  };

  it("lists the runs as their summaries say, finds them, sorts them and keeps a tag", async () => {
    const { page, close } = await open("");
    for (const id of ["1", "2", "3"]) {
      const { tells, digest, state } = summarizeRun(join(runs, id), id);
      const row = await text(page, `.runs tbody tr:has(a:text-is("${id}")) td`);
      assert.match(row, new RegExp(` ${state} .*${formatCount(tells ?? 0)}.* ${digest?.slice(0, 12)}`));
    }
    await page.locator(".runs th button", { hasText: "Tasks" }).click();
    assert.deepEqual(await page.locator(".runs tbody a").allTextContents(), ["2", "tells", "1", "3"]);
    await page.locator('.runs tbody a:text-is("2")').click();
    await page.locator('.tabs a:text-is("Settings")').click();
    await page.getByLabel("Tags, with commas between").fill(`odd, ${HOSTILE.slice(0, 30)}`);
    await page.getByLabel("Note", { exact: true }).fill(HOSTILE);
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("Saved.").waitFor();
    await page.locator(".brand").click();
    await page.locator(".tag", { hasText: "odd" }).click();
    await page.locator(".runs tbody tr").nth(1).waitFor({ state: "detached" });
    assert.deepEqual(await page.locator(".runs tbody a").allTextContents(), ["2"]);
    await close();
  });

  it("shows of a resumed run what its report says, its seam, and what was reused", async () => {
    const { page, close } = await open("run/0/1");
    const report = readReport(join(runs, "1"));
    const figures = await text(page, ".figures dd");
    assert.ok(
      figures.startsWith(`${formatCount(report.told)} / ${formatCount(report.asked)} ${formatValue(report.best ?? 0)}`),
    );
    assert.match(figures, new RegExp(` ${report.counts.failed} 0 ${report.reused}$`));
    assert.match(
      await text(page, "section[aria-label^=Resumed].panel"),
      new RegExp(`Resumed 1×.*${report.reused}.*interrupted`, "s"),
    );
    const [svg] = await Promise.all([
      page.waitForEvent("download"),
      page.locator("figure[aria-label=Workers] button", { hasText: "SVG" }).click(),
    ]);
    const drawing = readFileSync(await svg.path(), "utf8");
    assert.match(drawing, /stroke-dasharray/);
    assert.equal(
      drawing.split('fill="#d55e00"').length - 1,
      1 + report.failures.total,
      "a mark per failure, one in the legend",
    );
    await close();
  });

  it("reads values under the pointer, shows the table behind a chart and saves it three ways", async () => {
    const { page, close } = await open("run/0/1");
    const chart = page.locator("figure[aria-label=Convergence]");
    await chart.locator(".u-over").hover();
    assert.match(await text(page, "figure[aria-label=Convergence] .readout"), /^\d+: best value [\d.]+$/);
    await chart.getByRole("button", { name: "Table" }).click();
    const { curve } = readReport(join(runs, "1"));
    await chart.locator("tbody").waitFor();
    assert.equal(await chart.locator("tbody tr").count(), curve.length);
    for (const [kind, begins] of [
      ["PNG", "\x89PNG"],
      ["SVG", "<svg"],
      ["CSV", "tasks told,best value\r\n"],
    ] as const) {
      const [saved] = await Promise.all([
        page.waitForEvent("download"),
        chart.getByRole("button", { name: kind }).click(),
      ]);
      assert.ok(readFileSync(await saved.path(), "latin1").startsWith(begins), kind);
    }
    await close();
  });

  it("scrolls through every task of a long run with few rows in the page, and opens one", async () => {
    const { page, close } = await open("run/0/3/tasks");
    await page.getByText(`${formatCount(LONG)} tasks`).waitFor();
    const box = page.locator(".tasks");
    const scroll = "document.querySelector('.tasks').scrollTo(0, 1500 * i)";
    let took = await frameTime(page, scroll);
    // The machine may have been busy with something else.
    for (let tries = 1; took >= SMOOTH_MS && tries < SMOOTH_TRIES; tries++) took = await frameTime(page, scroll);
    assert.ok(took < SMOOTH_MS, `scrolls smoothly, not with ${took} ms a frame`);
    await box.evaluate((element) => element.scrollTo(0, element.scrollHeight));
    await page.locator(".tasks td", { hasText: `n=${LONG - 1}` }).waitFor();
    assert.ok((await page.locator(".tasks tbody tr").count()) < 60);
    const [saved] = await Promise.all([page.waitForEvent("download"), page.getByLabel("CSV of tasks").click()]);
    assert.equal(readFileSync(await saved.path(), "utf8").split("\r\n").length, LONG + 2, "a head, and a line's end");
    await page.getByLabel("State of tasks").selectOption("failed");
    await page.getByText("0 tasks", { exact: true }).waitFor();
    await page.getByLabel("State of tasks").selectOption("");
    await page.getByLabel("Search keys and candidates").fill(`n=${LONG - 7}`);
    await page.keyboard.press("Enter");
    await page.locator(".tasks button", { hasText: `#${LONG - 7}` }).click();
    assert.equal(
      await page.locator(`section[aria-label="Task ${LONG - 7}"] pre`).textContent(),
      String((LONG - 7) ** 2),
    );
    await close();
  });

  it("finds a task by its candidate, and shows what it logged and printed, and none of its chunk's", async () => {
    const { page, close } = await open("run/0/tells/tasks");
    await page.getByLabel("Search keys and candidates").fill("13");
    await page.keyboard.press("Enter");
    await page.getByText("1 tasks", { exact: true }).waitFor();
    assert.match(await text(page, ".tasks tbody tr"), /#13 *n 13 *failed/);
    for (const [ask, ends] of [
      [13, `RangeError: ${HOSTILE} no square of 13`],
      [12, JSON.stringify(`${HOSTILE}144`)],
    ] as const) {
      await page.getByLabel("Search keys and candidates").fill(String(ask));
      await page.keyboard.press("Enter");
      await page.locator(".tasks button", { hasText: `#${ask}` }).click();
      const panel = page.locator(`section[aria-label="Task ${ask}"]`);
      await panel.getByText(`prints ${ask}`).waitFor();
      const texts = await panel.locator("pre").allTextContents();
      assert.deepEqual([texts[0], texts[1]], [String(ask), ends]);
      assert.equal(texts.at(-1), `${HOSTILE} logs ${ask}\n${HOSTILE} prints ${ask}`);
    }
    await close();
  });

  it("shows hostile keys, values and failures as text", async () => {
    const { page, close } = await open("run/0/2/tasks");
    await page.locator(".tasks td", { hasText: HOSTILE }).first().waitFor();
    await page.locator(".tasks button", { hasText: "#3" }).click();
    await page.locator('section[aria-label="Task 3"] pre').first().waitFor();
    assert.match(await text(page, 'section[aria-label="Task 3"]'), /<script>/);
    await page.goto(`${studio.url}#/run/0/2`);
    await page.locator("details summary").first().click();
    await close();
  });

  it("follows a run that goes on until it ends, and then offers to resume it", async () => {
    const run = await beginRun(join(runs, "live"), { tasks: 100_000, delayMs: 5, pool: threads({ workers: 2 }) });
    const list = await open("");
    const { page, close } = await open("run/0/live");
    await page.locator("h1 ~ .state.running").waitFor();
    const told = await page.locator(".figures dd").first().textContent();
    await page
      .locator(".figures div:first-child dd")
      .filter({ hasNotText: told ?? "" })
      .waitFor();
    assert.match(await text(page, ".command"), new RegExp(`^Stopkill -INT ${process.pid}$`));
    const bar = list.page.getByLabel("Progress of run live");
    await bar.waitFor();
    for (const width of [1280, 390]) {
      await list.page.setViewportSize({ width, height: 900 });
      const [drawn, cell] = await Promise.all([bar, bar.locator("..")].map((part) => part.boundingBox()));
      assert.ok(drawn !== null && cell !== null && drawn.x >= cell.x && drawn.x + drawn.width <= cell.x + cell.width);
    }
    run.interrupt("seen enough");
    await run.finished.catch(() => {});
    await page.locator("h1 ~ .state.interrupted").waitFor();
    await page.getByText("seen enough").waitFor();
    assert.match(await text(page, ".command"), /^Resumecoppice resume .*live$/);
    await list.page.locator('.runs tr:has(a:text-is("live")) .state.interrupted').waitFor();
    await close();
    await list.close();
  });

  it("compares two runs and names the first task at which they differ", async () => {
    const { page, close } = await open("");
    await page.getByLabel("Select run 1", { exact: true }).check();
    await page.getByLabel("Select run 3", { exact: true }).check();
    await page.getByRole("link", { name: "Compare the two" }).click();
    await page.getByText("The first difference is task 19, which has a different outcome").waitFor();
    await close();
  });

  it("is exported as one file that opens from disk, asks nobody and runs nothing of what a run says", async () => {
    const file = join(scratch, "run.html");
    const exported = await exportRun(join(runs, "2"));
    assert.ok(!exported.includes("onerror="));
    writeFileSync(file, exported);
    const { page, close } = await watchedPage(browser, pathToFileURL(file).href);
    await page.locator("h1", { hasText: "Run 2" }).waitFor();
    assert.match(await text(page, ".figures dd"), /^8 \/ 8 /);
    await page.locator("details summary").first().click();
    assert.match(await text(page, "section[aria-label$='failed attempts'].panel"), /<script>/);
    await page.locator('.tabs a:text-is("Tasks")').click();
    await page.getByLabel("State of tasks").selectOption("failed");
    await page.getByText("2 tasks", { exact: true }).waitFor();
    await page.locator(".tasks button", { hasText: "#7" }).click();
    assert.match(await text(page, 'section[aria-label="Task 7"] pre'), /<script>/);
    await page.locator('.tabs a:text-is("Files")').click();
    await page.locator("td", { hasText: "journal.ndjson" }).waitFor();
    await page.locator('.tabs a:text-is("Settings")').click();
    assert.match(await text(page, "dl.facts dd"), /its seed/);
    for (const tab of await page.locator(".tabs a").all()) {
      await tab.click();
      assert.deepEqual(await axeFaults(page), [], (await tab.textContent()) ?? "");
    }
    await close();
  });

  it("is exported with the first tasks of a long run, and says so", async () => {
    const file = join(scratch, "long.html");
    writeFileSync(file, await exportRun(join(runs, "3")));
    const { page, close } = await watchedPage(browser, pathToFileURL(file).href);
    await page.locator('.tabs a:text-is("Tasks")').click();
    await page
      .getByText(`This file has ${LONG > 20_000 ? "none" : "the first 500"} of ${formatCount(LONG)} tasks`)
      .waitFor();
    await close();
  });

  it("says of an address at which there is no run that there is none", async () => {
    const { page } = await open("run/0/nowhere");
    await page.getByText("there is no such run here").waitFor();
    assert.equal(await page.getByText("does not answer").count(), 0);
    await page.close();
  });

  it("says that a run is gone when its folder is removed while it is shown", async () => {
    await (await beginRun(join(runs, "gone"), { tasks: 3, pool: inline() })).finished;
    const { page, close } = await open("run/0/gone");
    await page.locator(".figures").waitFor();
    rmSync(join(runs, "gone"), { recursive: true });
    await page.getByText("there is no such run here").waitFor();
    await close();
  });

  it("is used from the keyboard alone", async () => {
    const { page, close } = await open("");
    const focused = () => page.evaluate("document.activeElement.textContent");
    for (let presses = 0; (await focused()) !== "3" && presses < 60; presses++) await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    await page.locator("h1", { hasText: "Run 3" }).waitFor();
    for (let presses = 0; (await focused()) !== "Tasks" && presses < 60; presses++) await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    await page.locator(".tasks button").first().waitFor();
    for (let presses = 0; (await focused()) !== "#0" && presses < 60; presses++) await page.keyboard.press("Tab");
    await page.keyboard.press("PageDown");
    await page.locator(".tasks button:focus", { hasText: "#16" }).waitFor();
    await page.keyboard.press("Enter");
    await page.locator('section[aria-label="Task 16"]').waitFor();
    await close();
  });

  it("says every value of a chart to the arrow keys", async () => {
    const { page, close } = await open("run/0/1");
    const { curve, timeline } = readReport(join(runs, "1"));
    const chart = page.locator("figure[aria-label=Convergence]");
    const readout = chart.locator('.readout[aria-live="polite"]');
    await chart.locator(".by-keys").focus();
    await page.keyboard.press("End");
    const best = curve.at(-1)?.best;
    assert.ok(best !== undefined);
    assert.match((await readout.textContent()) ?? "", new RegExp(`^${curve.at(-1)?.told}: best value ${best}$`));
    const said: string[] = [];
    await page.keyboard.press("Home");
    for (let at = 0; at < curve.length; at++) {
      said.push((await readout.textContent()) ?? "");
      await page.keyboard.press("ArrowRight");
    }
    assert.deepEqual(
      said.map((each) => each.split(":")[0]),
      curve.map(({ told }) => String(told)),
    );
    const workers = page.locator("figure[aria-label=Workers]");
    await workers.locator(".by-keys").focus();
    await page.keyboard.press("ArrowRight");
    const first = await workers.locator(".readout").textContent();
    await page.keyboard.press("ArrowDown");
    const [a, b] = timeline.rows.map(({ worker }) => worker).sort((x, y) => x - y);
    assert.match(first ?? "", new RegExp(`^worker ${a} at `));
    assert.match((await workers.locator(".readout").textContent()) ?? "", new RegExp(`^worker ${b} at `));
    await page.keyboard.press("Escape");
    assert.equal(await workers.locator(".readout").textContent(), "");
    await close();
  });

  it("has no serious fault of access, light or dark, and fits a phone", async () => {
    const { page, close } = await open("", "light", 390);
    for (const [path, shows] of [
      ["", ".runs tbody tr"],
      ["run/0/1", "canvas"],
      ["run/0/1/tasks", ".tasks button"],
      ["run/0/1/files", "td a"],
      ["run/0/1/settings", "dl.facts"],
      ["run/0/live", ".command"],
      ["compare/0/1/0/2", "canvas"],
    ]) {
      await page.goto(`${studio.url}#/${path}`);
      await page.locator(shows).first().waitFor();
      for (const table of await page.getByRole("button", { name: "Table" }).all()) await table.click();
      if (path.endsWith("/tasks")) await page.locator(".tasks button").first().click();
      for (const summary of await page.locator("summary").all()) await summary.click();
      assert.deepEqual(await axeFaults(page), [], path);
    }
    await close();
  });
});
