import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { alternate, median, medianRatio } from "./measure.ts";
import { type BenchOptions, type BenchReport, benchReport, type Figure, goal } from "./report.ts";

const COPPICE = fileURLToPath(import.meta.resolve("../../packages/cli/bin/coppice.js"));
/** What is run for every item, with the item as `$1`. */
const SCRIPT = 'sleep 0.01; echo "$1"';
const JOBS = "8";

/** A thousand commands of 10 ms, eight at once: `coppice map` beside GNU parallel and xargs, whole commands. */
export async function mapBench({
  quick = false,
  rounds = quick ? 1 : 5,
  progress = () => {},
}: BenchOptions = {}): Promise<BenchReport> {
  const folder = mkdtempSync(join(tmpdir(), "coppice-map-bench-"));
  try {
    const items = Array.from({ length: quick ? 40 : 1000 }, (_, i) => `${i + 1}\n`);
    const input = items.join("");
    const inOrder = { map: true };
    const time = (command: string, ...args: readonly string[]) => {
      const began = performance.now();
      const { status, stdout } = spawnSync(command, args, { cwd: folder, input, encoding: "utf8" });
      const tookMs = performance.now() - began;
      if (status !== 0) throw new Error(`${command} ended with exit code ${status}`);
      if (stdout.length !== input.length)
        throw new Error(`${command} printed ${stdout.length} bytes, not ${input.length}`);
      return { seconds: tookMs / 1000, ordered: stdout === input };
    };
    const map = () => {
      const { seconds, ordered } = time(process.execPath, COPPICE, "map", "-j", JOBS, "sh", "-c", SCRIPT, "sh", "{}");
      inOrder.map &&= ordered;
      return seconds;
    };
    const others = {
      "xargs -P": () => time("xargs", "-P", JOBS, "-n", "1", "sh", "-c", SCRIPT, "sh").seconds,
      "GNU parallel -k": () => time("parallel", "-k", "-j", JOBS, "sleep 0.01; echo {}").seconds,
    };
    const there = Object.entries(others).filter(([name]) => isInstalled(name, progress));
    const measured: Readonly<Record<string, number[]>> = await alternate(rounds, {
      "coppice map": map,
      ...Object.fromEntries(there),
    });
    progress(`${rounds} rounds of ${items.length} commands measured`);
    const figures: Record<string, Figure> = {};
    for (const [name, seconds] of Object.entries(measured)) figures[name] = { value: median(seconds), unit: "s" };
    const parallel = measured["GNU parallel -k"];
    return benchReport("map", rounds, figures, [
      goal("in the order of the items", inOrder.map ? 1 : 0, "(1: yes)", ">=", 1),
      ...(parallel === undefined
        ? []
        : [
            goal(
              "10 ms commands, 8 at once",
              medianRatio(measured["coppice map"], parallel),
              "× GNU parallel",
              "<=",
              1,
            ),
          ]),
    ]);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function isInstalled(name: string, progress: (line: string) => void): boolean {
  const [program] = name.replace("GNU ", "").split(" ");
  const { stdout } = spawnSync(program, ["--version"], { encoding: "utf8" });
  const found = stdout?.includes("GNU") === true;
  if (!found) progress(`${name} is not installed, so it is skipped (Debian packages: parallel, findutils)`);
  return found;
}
