import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";

/** Tasks of a run that is disturbed, and how long the longest of them takes. */
export const TASKS = 80;
export const LONGEST_MS = 60;
/** Short, so that a test need not wait long for what others must believe. */
export const PATIENCE_SECONDS = 2;

/** A run as it ended. */
export interface Ended {
  readonly digest: string;
  /** Asks in the order they were told. */
  readonly told: readonly number[];
  /** Outcomes in the journal. */
  readonly written: number;
}

/** How many outcomes are in the journal of a run's directory; none before there is one. */
export function writtenIn(directory: string): number {
  const path = join(directory, "journal.ndjson");
  const journal = existsSync(path) ? readFileSync(path, "utf8") : "";
  return journal.match(/"type":"completed"/g)?.length ?? 0;
}

/** A run in a process of its own. */
export class Coordinator {
  readonly child: ChildProcess;
  readonly #directory: string;
  readonly #printed: Promise<string>;
  readonly #complaint: Promise<string>;
  readonly #exit: Promise<unknown>;

  constructor(directory: string, how: "new" | "resume", env: NodeJS.ProcessEnv, launcher: readonly string[] = []) {
    this.#directory = directory;
    const program = fileURLToPath(new URL("./coordinator-program.ts", import.meta.url));
    const ours = [process.execPath, program, directory, how, String(TASKS), String(LONGEST_MS)];
    const [command, ...args] = [...launcher, ...ours];
    const child = spawn(command, args, {
      stdio: ["ignore", "pipe", "pipe"],
      env: { ...process.env, COPPICE_PATIENCE: String(PATIENCE_SECONDS), ...env },
    });
    this.child = child;
    this.#printed = text(child.stdout);
    this.#complaint = text(child.stderr);
    this.#exit = once(child, "exit");
  }

  /** Outcomes in its journal so far. */
  get written(): number {
    return writtenIn(this.#directory);
  }

  /** Waits until its journal has so many outcomes, or it has ended. */
  async wrote(count: number): Promise<void> {
    while (this.child.exitCode === null && writtenIn(this.#directory) < count) await sleep(20);
  }

  async kill(): Promise<void> {
    this.child.kill("SIGKILL");
    await this.#exit;
  }

  /** How it ended; undefined with what it said to people when it ended without a result. */
  async ended(): Promise<Ended | { readonly digest: undefined; readonly complaint: string }> {
    await this.#exit;
    const printed = await this.#printed;
    if (printed === "") return { digest: undefined, complaint: await this.#complaint };
    const { digest, told } = JSON.parse(printed) as Pick<Ended, "digest" | "told">;
    return { digest, told, written: writtenIn(this.#directory) };
  }

  /** How it ended, where it must have a result. */
  async finished(): Promise<Ended> {
    const ended = await this.ended();
    if (ended.digest === undefined) throw new Error(`the coordinator ended without a result: ${ended.complaint}`);
    return ended;
  }
}
