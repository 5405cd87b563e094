import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { childrenBelow } from "@coppice/engine/child-process";

/** A worker in a process of its own, as another machine would have it. */
export class TestWorker {
  readonly child: ChildProcess;
  readonly lines: string[] = [];

  private constructor(child: ChildProcess, cache: string) {
    this.child = child;
    child.once("exit", () => rmSync(cache, { recursive: true, force: true }));
    if (child.stdout !== null) createInterface(child.stdout).on("line", (line) => this.lines.push(line));
  }

  static async start(
    redis: string,
    {
      concurrency = 1,
      pool = "processes",
      env = {},
      launcher = [],
    }: { concurrency?: number; pool?: string; env?: NodeJS.ProcessEnv; launcher?: readonly string[] } = {},
  ): Promise<TestWorker> {
    const cache = mkdtempSync(join(tmpdir(), "coppice-cache-"));
    const program = fileURLToPath(new URL("./worker-program.ts", import.meta.url));
    // What launches it becomes it: its process is the worker's own.
    const [command, ...args] = [...launcher, process.execPath, program, String(concurrency), pool];
    const child = spawn(command, args, {
      stdio: ["pipe", "pipe", "inherit"],
      env: { ...process.env, COPPICE_REDIS: redis, COPPICE_TEST_CACHE: cache, ...env },
    });
    const worker = new TestWorker(child, cache);
    if (child.stdout !== null) await once(child.stdout, "data");
    return worker;
  }

  /** Processes that it has started, and when. */
  below(): ReadonlyMap<number, string> {
    return this.child.pid === undefined ? new Map() : childrenBelow(this.child.pid);
  }

  async kill(signal: NodeJS.Signals = "SIGKILL"): Promise<void> {
    if (this.child.exitCode !== null || this.child.signalCode !== null) return;
    const exit = once(this.child, "exit");
    this.child.kill(signal);
    await exit;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.kill();
  }
}
