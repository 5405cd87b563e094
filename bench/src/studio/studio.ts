import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { UsageError } from "@coppice/engine/usage-error";
import { pageBundle } from "@coppice/studio";
import { noBrowser, openBrowser } from "@coppice/studio/browser";
import { exportRun } from "@coppice/studio/export";
import { median, medianRatio } from "../measure.ts";
import { heldBytes } from "../memory/held-bytes.ts";
import { type BenchOptions, type BenchReport, benchReport, goal } from "../report.ts";
import { dragRate, type Opening, openTasks } from "./in-browser.ts";
import { count, countWatched, inStudio } from "./watching.ts";

const COPPICE = fileURLToPath(new URL("../../../packages/cli/bin/coppice.js", import.meta.url));

/** How fast the studio's pages are, what they keep, and what they cost the run that is watched. */
export async function studioBench({
  quick = false,
  rounds = quick ? 1 : 5,
  progress = () => {},
}: BenchOptions = {}): Promise<BenchReport> {
  if (noBrowser !== false)
    throw new UsageError("bench studio needs a browser: install Chromium (apt install chromium)");
  const scratch = mkdtempSync(join(tmpdir(), "coppice-bench-studio-"));
  const runs = join(scratch, "runs");
  mkdirSync(runs);
  const browser = await openBrowser();
  try {
    const tasks = quick ? 2_000 : 100_000;
    await count(join(runs, "long"), tasks, 0);
    planned(scratch, quick ? 400 : 20_000);
    progress(`recorded a run of ${tasks} tasks and a plan of the real day`);
    await pageBundle();
    const openings: Opening[] = [];
    for (let round = 0; round < rounds; round++) {
      openings.push(await inStudio(runs, (url) => openTasks(browser, url, "long")));
    }
    progress("opened pages");
    const drags = await inStudio(runs, (url) => dragRate(browser, url, "plan", quick ? 3 : 20));
    progress("changed a plan");
    const live = await countWatched(join(runs, "live"), quick ? 2_000 : 40_000, 0);
    const [alone, watched]: number[][] = [[], []];
    for (let round = 0; round < rounds; round++) {
      const busy = quick ? 100 : 4_000;
      const sides = [
        async () => alone.push(await count(join(runs, `alone-${round}`), busy, 1)),
        async () => watched.push((await countWatched(join(runs, `watched-${round}`), busy, 1)).rate),
      ];
      for (const side of round % 2 === 0 ? sides : sides.reverse()) await side();
    }
    progress("watched runs that went on");
    const events = quick ? 10_000 : 1_000_000;
    // Each task is asked for, started and completed.
    await count(join(runs, "huge"), Math.ceil(events / 3), 0);
    const { held, page } = await inStudio(runs, async (url) => ({
      held: await heldOf(url, "huge"),
      page: await openTasks(browser, url, "huge"),
    }));
    const { script } = await pageBundle();
    const bundle = gzipSync(script).length / 1000;
    const exported = (await exportRun(join(runs, "plan"))).length / 1e6;
    const cost = 100 * (1 - medianRatio(watched, alone));
    const first = median(openings.map(({ firstPictureMs }) => firstPictureMs));
    const interactive = median(openings.map(({ interactiveMs }) => interactiveMs));
    return benchReport(
      "studio",
      rounds,
      {
        tasks: { value: tasks, unit: "tasks" },
        firstPicture: { value: first, unit: "ms" },
        interactive: { value: interactive, unit: "ms" },
        whatIf: { value: median(drags), unit: "ms" },
        whatIfSlowest: { value: Math.max(...drags), unit: "ms" },
        liveTasks: { value: live.rate, unit: "tasks/s" },
        liveLag: { value: live.lagMs, unit: "ms" },
        watchedEvents: { value: events, unit: "events" },
        serverKeeps: { value: held.watched, unit: "MB" },
        serverKeepsWithTasks: { value: held.withTasks, unit: "MB" },
        pageKeeps: { value: page.heapMegabytes, unit: "MB" },
        cost: { value: cost, unit: "%" },
        bundle: { value: bundle, unit: "KB" },
        exported: { value: exported, unit: "MB" },
      },
      [
        goal("first picture", first, "ms", "<", 1000),
        goal("interactive, every task of the run to scroll through", interactive, "ms", "<", 2000),
        goal("from the move of a rate to the picture", median(drags), "ms", "<", 100),
        // Three events for a task.
        goal("events per second of a run that goes on", 3 * live.rate, "events/s", ">=", 2000),
        goal("how long after its end the page says so", live.lagMs, "ms", "<=", 1000),
        goal("the server's memory after so many events", held.watched, "MB", "<=", 32),
        goal("the same with the table of tasks", held.withTasks, "MB", "<=", 96),
        goal("the page's memory after so many events", page.heapMegabytes, "MB", "<=", 64),
        goal("cost for the run that is watched", cost, "%", "<", 2),
        goal("the page's script, gzipped", bundle, "KB", "<=", 150),
        goal("a plan of the real day as a file", exported, "MB", "<=", 1.5),
      ],
    );
  } finally {
    await browser.close();
    rmSync(scratch, { recursive: true, force: true });
  }
}

/** A plan of the real day, found by the command. */
function planned(place: string, evaluations: number): void {
  const words = ["flow", "plan", "--evaluations", String(evaluations), "--id", "plan", "--run-dir", "runs", "--quiet"];
  execFileSync(process.execPath, [COPPICE, ...words, "--workers", "1"], { cwd: place, stdio: "ignore" });
}

/** Megabytes that a studio keeps of a run: while it is watched, and once somebody has looked at its tasks. */
async function heldOf(url: string, id: string): Promise<{ readonly watched: number; readonly withTasks: number }> {
  const { origin, search } = new URL(url);
  const ask = async (path: string) => (await fetch(`${origin}/api/runs/0/${path}${search}`)).arrayBuffer();
  const before = heldBytes();
  await ask(id);
  const watched = heldBytes();
  await ask(`${id}/tasks`);
  const withTasks = heldBytes();
  return { watched: (watched - before) / 1e6, withTasks: (withTasks - before) / 1e6 };
}
