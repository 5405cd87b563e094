import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { type Browser, chromium, type Page } from "playwright-core";

const executablePath = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"].find(existsSync);

/** Why tests that need a browser are skipped; false where there is one. */
export const noBrowser = executablePath === undefined && "skipped: no Chromium is installed (apt install chromium)";

const flags =
  "--headless --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking --disable-component-update --disable-sync";

/** The browser of this machine. */
export function openBrowser(): Promise<Browser> {
  return chromium.launch({ executablePath: executablePath ?? "", args: flags.split(" ") });
}

export type StudioPage = Page;

/** A page that is looked at while a test uses it. */
export interface WatchedPage {
  readonly page: Page;
  /** Fails if the page complained, asked anybody else for anything, or ran what it should only show. */
  readonly close: () => Promise<void>;
}

/** How a page is looked at. */
export interface Look {
  readonly scheme?: "light" | "dark";
  readonly width?: number;
  /** In a page that was never used, for those who measure. */
  readonly unused?: boolean;
}

/** Pages that were closed. Opening one anew takes most of a second of a processor, mostly for a process of its own. */
const closed = new WeakMap<Browser, Page[]>();

/** Opens a page of the studio, or one that was exported. */
export async function watchedPage(
  browser: Browser,
  url: string,
  { scheme = "light", width = 1280, unused = false }: Look = {},
): Promise<WatchedPage> {
  const viewport = { width, height: 900 };
  const left = closed.get(browser) ?? [];
  closed.set(browser, left);
  const page = (unused ? undefined : left.pop()) ?? (await browser.newPage({ viewport, acceptDownloads: true }));
  await page.emulateMedia({ colorScheme: scheme });
  await page.setViewportSize(viewport);
  const complaints: string[] = [];
  const isOwn = (asked: string) =>
    url.startsWith("file:") ? asked === url : new URL(asked).origin === new URL(url).origin;
  page.on("console", (message) => complaints.push(message.text()));
  page.on("pageerror", (error) => complaints.push(error.message));
  page.on("request", (request) => {
    if (!/^(blob|data):/.test(request.url()) && !isOwn(request.url())) complaints.push(`asked for ${request.url()}`);
  });
  await page.goto(url);
  await page.locator("h1").waitFor();
  const close = async () => {
    assert.doesNotMatch(await page.title(), /broken/);
    assert.deepEqual(complaints, []);
    if (unused) return page.close();
    for (const event of ["console", "pageerror", "request"]) page.removeAllListeners(event);
    // Whoever opens it next finds nothing of this one.
    await page.evaluate("localStorage.clear()");
    await page.context().clearCookies();
    await page.goto("about:blank");
    left.push(page);
  };
  return { page, close };
}

const LOOK_MS = 20;
const MOST_LOOKS = 3000;

/** Waits until a script is true in a page. The page's policy refuses to run texts, so it is asked from outside. */
export async function until(page: Page, script: string): Promise<void> {
  for (let looks = 0; (await page.evaluate(script)) !== true; looks++) {
    assert.ok(looks < MOST_LOOKS, `never true: ${script}`);
    await page.waitForTimeout(LOOK_MS);
  }
}

const FRAMES = 30;

/** Milliseconds from one frame to the next, the median, while a script runs once per frame; `i` counts them. */
export async function frameTime(page: Page, script: string): Promise<number> {
  const taken = (await page.evaluate(`(async () => {
    const frame = () => new Promise(requestAnimationFrame);
    const taken = [];
    for (let i = 0, before = await frame(); i < ${FRAMES}; i++) {
      ${script};
      const now = await frame();
      taken.push(now - before);
      before = now;
    }
    return taken.sort((a, b) => a - b);
  })()`)) as number[];
  return taken[FRAMES / 2];
}

const axe = () => readFileSync(fileURLToPath(import.meta.resolve("axe-core/axe.min.js")), "utf8");

/** What pages are looked at in: a screen and a phone. */
const WIDTHS = [1280, 390];

/** Of a volume that is bent, the middle may lie outside. */
const MOST_STEPS = 5;

/** Charts whose values are not said when somebody goes through them by arrow keys. */
async function silentCharts(page: Page): Promise<string[]> {
  const silent: string[] = [];
  for (const chart of await page.locator("figure.chart").all()) {
    const drawing = chart.locator(".by-keys, .pannable");
    if ((await drawing.count()) === 1) await drawing.focus();
    const said = () => chart.locator(".readout").textContent();
    for (let steps = 0; steps < MOST_STEPS && (await said()) === ""; steps++) await page.keyboard.press("ArrowRight");
    if ((await said()) === "") silent.push(`says nothing by keys: ${await chart.getAttribute("aria-label")}`);
  }
  return silent;
}

/**
 * Serious and critical faults of access that axe-core finds, light and dark, at which widths the page is wider than its window,
 * and charts that have their values for a pointer alone.
 */
export async function axeFaults(page: Page): Promise<string[]> {
  if (!(await page.evaluate("'axe' in window"))) await page.evaluate(axe());
  const isDark = await page.evaluate("matchMedia('(prefers-color-scheme: dark)').matches");
  const faults = await silentCharts(page);
  // As the page was opened comes last, so that it is left like that.
  for (const colorScheme of isDark === true ? (["light", "dark"] as const) : (["dark", "light"] as const)) {
    await page.emulateMedia({ colorScheme });
    await until(page, `document.documentElement.dataset.theme === "${colorScheme}"`);
    const found = (await page.evaluate(
      `axe.run({ resultTypes: ["violations"] }).then(({ violations }) => violations.filter(({ impact }) => ["serious", "critical"].includes(impact)).map(({ id, nodes }) => id + " " + nodes[0].html))`,
    )) as string[];
    faults.push(...found.map((fault) => `${colorScheme}: ${fault}`));
  }
  const size = page.viewportSize();
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: 900 });
    // Drawings are as wide as their room a frame later.
    await page.evaluate("new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))");
    const wide = await page.evaluate("document.documentElement.scrollWidth > document.documentElement.clientWidth");
    if (wide === true) faults.push(`wider than a window of ${width} px`);
  }
  if (size !== null) await page.setViewportSize(size);
  return faults;
}
