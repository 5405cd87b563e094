import assert from "node:assert/strict";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { pathToFileURL } from "node:url";
import { type Browser, chromium, type Page } from "playwright-core";
import { simulateRun } from "../../test/simulated-run.ts";
import { reportPage } from "./page.ts";
import { ReportBuilder } from "./report-builder.ts";

const executablePath = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"].find(existsSync);
const flags =
  "--headless --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking --disable-component-update --disable-sync";

describe("the report in a browser", { skip: executablePath === undefined && "no Chromium is installed" }, () => {
  const directory = mkdtempSync(join(tmpdir(), "coppice-report-"));
  let browser: Browser;

  before(async () => {
    browser = await chromium.launch({ executablePath: executablePath ?? "", args: flags.split(" ") });
  });
  after(async () => {
    await browser?.close();
    rmSync(directory, { recursive: true, force: true });
  });

  /** Opens a page and passes on everything it complains about or asks for. */
  async function open(run: Parameters<typeof simulateRun>[0], colorScheme: "light" | "dark"): Promise<Page> {
    const builder = new ReportBuilder();
    for (const event of simulateRun(run)) builder.see(event);
    const file = join(directory, `${run.tasks}-${colorScheme}.html`);
    writeFileSync(file, reportPage(builder.report()));
    const page = await browser.newPage({ colorScheme, viewport: { width: 1100, height: 900 } });
    const complaints: string[] = [];
    page.on("console", (message) => complaints.push(message.text()));
    page.on("pageerror", (error) => complaints.push(error.message));
    page.on("request", (request) => {
      if (request.url() !== pathToFileURL(file).href) complaints.push(`asked for ${request.url()}`);
    });
    await page.goto(pathToFileURL(file).href);
    assert.deepEqual(complaints, []);
    return page;
  }

  const run = {
    tasks: 80,
    workers: 3,
    taskMs: (ask: number) => 40 + (ask % 7) * 20,
    failures: (ask: number) => (ask % 30 === 7 ? 1 : 0),
    key: (ask: number) => `<script>document.title = "broken ${ask}"</script>`,
    best: (told: number) => 100 / told,
    timers: true,
  };

  for (const scheme of ["light", "dark"] as const) {
    it(`shows timeline, curve, failures and timers, ${scheme}`, async () => {
      const page = await open(run, scheme);
      for (const part of [
        "#timeline svg rect.busy",
        "#timeline svg rect.bad",
        "#curve svg path.curve",
        "#failures tbody tr",
        "#timers tbody tr",
      ]) {
        assert.ok(await page.locator(part).first().isVisible(), part);
      }
      assert.equal(await page.locator("#timeline svg rect").count(), 83);
      assert.equal(await page.locator("#failures tbody tr").count(), 3);
      assert.equal(await page.title(), "Run 17 · coppice");
      const contrast = await page.evaluate(`getComputedStyle(document.body).backgroundColor`);
      assert.equal(contrast, scheme === "light" ? "rgb(251, 250, 246)" : "rgb(18, 22, 20)");
      const wide = await page.evaluate("document.documentElement.scrollWidth > document.documentElement.clientWidth");
      assert.equal(wide, false);
      await page.close();
    });
  }

  it("reads values off the curve under the pointer and opens a failure's stack", async () => {
    const page = await open({ ...run, tasks: 81 }, "light");
    const box = await page.locator("#curve svg").boundingBox();
    assert.ok(box !== null);
    await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
    assert.match((await page.locator("#curve .readout").textContent()) ?? "", /^[\d.]+ after \d+ tells$/);
    assert.equal(await page.locator("#failures pre").first().isVisible(), false);
    await page.locator("#failures summary").first().click();
    assert.match((await page.locator("#failures pre").first().textContent()) ?? "", /at evaluate/);
    await page.close();
  });

  it("draws a run of ten thousand tasks as shades", async () => {
    const page = await open({ ...run, tasks: 10_000 }, "light");
    assert.equal(await page.locator("#timeline svg rect").count(), 0);
    assert.ok(await page.locator("#timeline svg path.busy").last().isVisible());
    await page.close();
  });
});
