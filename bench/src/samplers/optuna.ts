import { type ChildProcessWithoutNullStreams, spawn, spawnSync } from "node:child_process";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import type { Configuration } from "@coppice/search";
import type { TestFunction } from "./functions.ts";
import type { Searched } from "./ours.ts";

const SCRIPT = fileURLToPath(new URL("./search_with_optuna.py", import.meta.url));

/** A Python with Optuna and its CMA-ES; undefined where there is none. */
export function pythonWithOptuna(): string | undefined {
  // Looked for, not imported: that takes seconds.
  const look = "from importlib.util import find_spec; assert find_spec('optuna') and find_spec('cmaes')";
  const has = (python: string) => spawnSync(python, ["-c", look], { stdio: "ignore" }).status === 0;
  return ["python3", "/usr/bin/python3"].find(has);
}

/** What Optuna is asked to do. */
export interface OptunaTask {
  readonly method: "tpe" | "cma-es" | "random";
  readonly trials: number;
  readonly window: number;
  readonly seed: number;
  /** Threads of its own instead of a window. */
  readonly jobs?: number;
}

/**
 * One Python process that searches task after task; values are computed here. A hastened one finds the same points sooner
 * and does not say how long its TPE would have taken (`lastMs` is NaN).
 */
export class Optuna {
  readonly #child: ChildProcessWithoutNullStreams;
  readonly #lines: AsyncIterator<string>;

  constructor(python: string, pace: "as it comes" | "hastened" = "as it comes") {
    // More threads only get into each other's way in arrays this small.
    const env = { ...process.env, OMP_NUM_THREADS: "1", OPENBLAS_NUM_THREADS: "1" };
    this.#child = spawn(python, pace === "hastened" ? [SCRIPT, pace] : [SCRIPT], { env });
    this.#child.stderr.resume();
    this.#lines = createInterface({ input: this.#child.stdout })[Symbol.asyncIterator]();
  }

  async search(f: TestFunction, task: OptunaTask): Promise<Searched & { readonly points: readonly unknown[] }> {
    this.#say({ ...task, parameters: f.space.parameters });
    const values: number[] = [];
    const seen: number[] = [];
    for (;;) {
      const { value: line, done } = await this.#lines.next();
      if (done === true) throw new Error("Optuna's process ended");
      const said = JSON.parse(line) as { point?: Configuration; done?: number; points?: readonly unknown[] };
      if (said.point === undefined) return { values, seen, lastMs: said.done ?? Number.NaN, points: said.points ?? [] };
      const value = (f.seen ?? f.value)(said.point);
      values.push(f.value(said.point));
      seen.push(value);
      this.#say(value);
    }
  }

  close(): void {
    this.#child.stdin.end();
  }

  #say(message: unknown): void {
    this.#child.stdin.write(`${JSON.stringify(message)}\n`);
  }
}
