import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before } from "node:test";
import { pathToFileURL } from "node:url";
import { formatCount, formatMeasured, formatValue } from "@coppice/engine/figures";
import type { RunReport } from "@coppice/engine/records";
import { type OpenStudio, openStudio } from "@coppice/studio";
import { type Look, openBrowser, type StudioPage, type WatchedPage, watchedPage } from "@coppice/studio/browser";
import { COPPICE, coppice, document } from "./coppice.ts";

/** What a stranger may call anything; pages show it as text. */
export const HOSTILE = `</script><img src=x onerror="document.title='broken'">`;

/** Pages of runs that were recorded in a place of their own. */
interface StudioPages {
  readonly place: string;
  /** The studio's address, once it is open. */
  readonly url: () => string;
  /** Opens a page by the part of its address after `#/`, or a file by its address. */
  readonly open: (path: string, look?: Look) => Promise<WatchedPage>;
  /** Exports a run; returns the address of the file. */
  readonly exported: (run: string) => Promise<string>;
}

/** Starting one takes a second of a processor: all suites of this process share it. */
let shared: ReturnType<typeof openBrowser> | undefined;
after(async () => (await shared)?.close());

/** For a suite: records runs, then opens a studio on them, which is closed after its last test. */
export function studioPages(record: (place: string) => Promise<void>): StudioPages {
  const place = mkdtempSync(join(tmpdir(), "coppice-pages-"));
  let studio: OpenStudio;
  let browser: Awaited<ReturnType<typeof openBrowser>>;
  before(async () => {
    await record(place);
    const command = { program: process.execPath, args: [COPPICE], name: "coppice" };
    studio = await openStudio({ places: [join(place, ".coppice/runs")], command, project: place });
    shared ??= openBrowser();
    browser = await shared;
  });
  after(async () => {
    await studio?.close();
    rmSync(place, { recursive: true, force: true });
  });
  return {
    place,
    url: () => studio.url,
    open: (path, look) => watchedPage(browser, path.startsWith("file:") ? path : `${studio.url}#/${path}`, look),
    async exported(run) {
      const name = `run-${run}.html`;
      const { stdout, stderr } = await coppice(place, ["studio", "--export", name, run]);
      assert.equal(stdout, `${name}\n`, stderr);
      return pathToFileURL(join(place, name)).href;
    },
  };
}

/** The overview of the run that a page shows says what `coppice show --json` says. */
export async function assertShown(page: StudioPage, place: string, run: string): Promise<void> {
  const shown = document(await coppice(place, ["show", run, "--json"])) as unknown as RunReport;
  const { told, asked, activeMs, counts, best, end, workers } = shown;
  await page.locator('.tabs a:text-is("Overview")').click();
  const figure = (name: string) => page.locator(`.figures dt:text-is("${name}") + dd`).allTextContents();
  assert.deepEqual(await figure("Told of asked"), [`${formatCount(told)} / ${formatCount(asked)}`]);
  assert.deepEqual(await figure("Best value"), best === undefined ? [] : [formatValue(best)]);
  assert.deepEqual(await figure("At work"), [formatMeasured(activeMs)]);
  assert.deepEqual(await figure("Failed"), [formatCount(counts.failed)]);
  assert.deepEqual(await figure("Tried again"), [formatCount(counts.retried)]);
  assert.equal(await page.locator("code[title=digest]").textContent(), end?.state === "done" ? end.digest : "");
  const timeline = page.locator("figure[aria-label=Workers]");
  await timeline.getByRole("button", { name: "Table" }).click();
  const cells = await timeline.locator("tbody tr").evaluateAll((rows) => {
    return rows.map((row) => [0, 3, 4].map((column) => Number(row.children[column].textContent)));
  });
  assert.deepEqual(
    cells,
    workers.map(({ worker, done, failed }) => [worker, done, failed]),
  );
}
