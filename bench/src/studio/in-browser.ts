import { type openBrowser, type StudioPage, until, watchedPage } from "@coppice/studio/browser";

/** Milliseconds from asking for a page to what a reader sees, and what the page keeps then. */
export interface Opening {
  readonly firstPictureMs: number;
  readonly interactiveMs: number;
  readonly heapMegabytes: number;
}

type Browser = Awaited<ReturnType<typeof openBrowser>>;

/** Opens the tasks of a run in a new page of a studio. */
export async function openTasks(browser: Browser, url: string, id: string): Promise<Opening> {
  return inPage(browser, `${url}#/run/0/${id}/tasks`, async (page) => {
    await page.locator(".tasks button").first().waitFor();
    const interactiveMs = await page.evaluate("performance.now()");
    const firstPictureMs = await page.evaluate("performance.getEntriesByName('first-contentful-paint')[0].startTime");
    // To the end of the table and back: what was looked at must not pile up.
    for (const part of [1, 0.5, 0]) {
      await page.locator(".tasks").evaluate((box, to) => box.scrollTo(0, to * box.scrollHeight), part);
      await page.locator(".tasks button").first().waitFor();
    }
    const heap = await page.evaluate("performance.memory.usedJSHeapSize");
    return {
      firstPictureMs: Number(firstPictureMs),
      interactiveMs: Number(interactiveMs),
      heapMegabytes: Number(heap) / 1e6,
    };
  });
}

/** Milliseconds from the move of a regulation's rate to the picture, move by move. */
export async function dragRate(browser: Browser, url: string, id: string, moves: number): Promise<number[]> {
  return inPage(browser, `${url}#/run/0/${id}/plan`, async (page) => {
    await page.locator(".regulations button").first().click();
    for (let move = 1; move <= moves; move++) {
      await page.getByLabel("Rate", { exact: true }).press(move % 2 === 0 ? "ArrowLeft" : "ArrowRight");
      await until(page, `performance.getEntriesByName("what-if").length === ${move}`);
    }
    const took = await page.evaluate("performance.getEntriesByName('what-if').map(({ duration }) => duration)");
    return took as number[];
  });
}

async function inPage<T>(browser: Browser, url: string, use: (page: StudioPage) => Promise<T>): Promise<T> {
  const { page, close } = await watchedPage(browser, url, { unused: true });
  const used = await use(page);
  await close();
  return used;
}
