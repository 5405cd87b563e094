import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { basename, dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { openStudio } from "@coppice/studio";

/** Uses a studio that has just been opened over a folder of runs. */
export async function inStudio<T>(runs: string, use: (url: string) => Promise<T>): Promise<T> {
  const studio = await openStudio({
    places: [runs],
    command: { program: process.execPath, args: [], name: "coppice" },
  });
  try {
    return await use(studio.url);
  } finally {
    await studio.close();
  }
}

/** Starts a run of its own process. */
function startCounting(directory: string, tasks: number, busyMs: number): ChildProcess {
  const entry = fileURLToPath(new URL("./counting-entry.ts", import.meta.url));
  return spawn(process.execPath, [entry, directory, String(tasks), String(busyMs)], {
    stdio: ["ignore", "pipe", "inherit"],
  });
}

/** A run of its own process; returns its evaluations per second. */
export async function count(directory: string, tasks: number, busyMs: number): Promise<number> {
  const child = startCounting(directory, tasks, busyMs);
  const [[printed]] = await Promise.all([once(child.stdout ?? child, "data"), once(child, "exit")]);
  return Number(printed);
}

/** The same while somebody follows it; and how long after its end the studio said so. */
export async function countWatched(
  directory: string,
  tasks: number,
  busyMs: number,
): Promise<{ readonly rate: number; readonly lagMs: number }> {
  return inStudio(dirname(directory), async (url) => {
    const ended = count(directory, tasks, busyMs).then((rate) => ({ rate, at: performance.now() }));
    const [{ rate, at }, saidAt] = await Promise.all([ended, followToEnd(url, basename(directory))]);
    return { rate, lagMs: Math.max(0, saidAt - at) };
  });
}

/** Reads the run's stream, as a page does, until it is done; returns when. */
async function followToEnd(url: string, id: string): Promise<number> {
  const { origin, search } = new URL(url);
  for (;;) {
    const response = await fetch(`${origin}/api/runs/0/${id}/stream${search}`);
    if (response.ok && response.body !== null) {
      const decoder = new TextDecoder();
      let end = "";
      for await (const bytes of response.body) {
        // What is looked for may lie across two parts.
        const text = end + decoder.decode(bytes, { stream: true });
        if (text.includes('"state":"done"')) return performance.now();
        end = text.slice(-20);
      }
    }
    // The run's folder is not there yet.
    await new Promise((later) => setTimeout(later, 20));
  }
}
