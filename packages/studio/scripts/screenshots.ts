// `node packages/studio/scripts/screenshots.ts <runs> <folder> [page …]`: pictures of pages, light and dark, wide and narrow.
// A page is the part of its address after `#/`, or an exported file (of a day, its map and demand are taken); without any, the list of runs and the last run. Of a plan, a regulation is
// opened and changed, as a reader would.
import { mkdirSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { runIds } from "@coppice/engine/records";
import { openStudio } from "../src/server/open-studio.ts";
import { openBrowser, type StudioPage, until } from "../test/browser.ts";

const [runs, folder, ...named] = process.argv.slice(2);
if (runs === undefined || folder === undefined) {
  console.error("usage: node packages/studio/scripts/screenshots.ts <runs> <folder> [page …]");
  process.exit(2);
}
mkdirSync(folder, { recursive: true });

/** A long page is cut where a reader has seen enough. */
const MOST_HEIGHT = 1580;

async function shoot(page: StudioPage, width: number, path: string): Promise<void> {
  await page.setViewportSize({ width, height: MOST_HEIGHT });
  await page.evaluate("scrollTo(0, 0)");
  const height = Number(await page.evaluate("document.querySelector('main').getBoundingClientRect().bottom"));
  await page.screenshot({ path, clip: { x: 0, y: 0, width, height: Math.min(height, MOST_HEIGHT) } });
}

const last = runIds(runs).at(-1) ?? "1";
const pages = named.length > 0 ? named : ["runs", `run/0/${last}`, `run/0/${last}/tasks`];
const command = { program: process.execPath, args: [], name: "coppice" };
// Hooks are those of the project that the runs are kept in.
const studio = await openStudio({ places: [runs], command, project: resolve(runs, "../..") });
const browser = await openBrowser();
for (const colorScheme of ["light", "dark"] as const) {
  for (const width of [1280, 390]) {
    const page = await browser.newPage({ colorScheme, viewport: { width, height: 900 } });
    page.on("console", (message) => console.error(message.text()));
    page.on("pageerror", (error) => console.error(error.message));
    for (const path of pages) {
      if (path.endsWith(".html")) {
        await page.goto(pathToFileURL(resolve(path)).href);
        await page.locator("h1").waitFor();
        await page.waitForTimeout(500);
        const file = join(folder, `${basename(path, ".html")}-${colorScheme}-${width}.png`);
        const map = page.locator(".map-and-demand");
        if ((await map.count()) > 0) await map.screenshot({ path: file });
        else await shoot(page, width, file);
        continue;
      }
      await page.goto(`${studio.url}#/${path}`);
      await page.locator("h1").waitFor();
      if (path.endsWith("/plan")) {
        await page.locator(".regulations button").first().click();
        await page.getByLabel("Rate", { exact: true }).press("ArrowRight");
        await until(page, "performance.getEntriesByName('what-if').length > 0");
      }
      await page.waitForTimeout(500);
      const name = path.replaceAll("/", "-");
      const file = join(folder, `studio-${name}-${colorScheme}-${width}.png`);
      await shoot(page, width, file);
    }
    await page.close();
  }
}
await browser.close();
await studio.close();
