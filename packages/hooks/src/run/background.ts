import { spawn } from "node:child_process";
import { closeSync, openSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { CommandLine } from "@coppice/engine/child-process";
import type { Hook } from "../settings/hook.ts";
import { makeStateDirectory } from "../state-directory.ts";
import { type HookSurroundings, hookCommand, hookEnvironment } from "./carry-process.ts";

/** What the process that looks after a background hook needs to know. */
export interface BackgroundJob {
  readonly name: string;
  readonly event: string;
  readonly session: string;
  readonly command: CommandLine;
  readonly cwd: string;
  readonly timeoutMs: number;
  readonly inputBase64: string;
  readonly stateDir: string;
  /** Writes state: takes the session's lock first. */
  readonly writer: boolean;
}

/** Starts a process that runs the hook, enforces its timeout and logs its output; nobody waits for it. */
export function startInBackground(
  hook: Hook,
  job: Pick<BackgroundJob, "session" | "stateDir" | "writer">,
  surroundings: HookSurroundings,
  input: Uint8Array,
): void {
  const env = hookEnvironment(hook, surroundings);
  const whole: BackgroundJob = {
    ...job,
    name: hook.name,
    event: hook.event,
    command: hookCommand(hook, env),
    cwd: surroundings.cwd,
    timeoutMs: hook.timeoutMs,
    inputBase64: Buffer.from(input).toString("base64"),
  };
  makeStateDirectory(job.stateDir);
  // The job goes over as an open file that no longer has a name: nothing to clean up, nothing for others to read.
  const file = join(job.stateDir, `background-${process.pid}-${process.hrtime.bigint()}.json`);
  writeFileSync(file, JSON.stringify(whole), { mode: 0o600, flag: "wx" });
  const descriptor = openSync(file, "r");
  rmSync(file);
  const runner = new URL("./background-entry.ts", import.meta.url);
  const child = spawn(process.execPath, [fileURLToPath(runner)], {
    cwd: surroundings.cwd,
    env,
    detached: true,
    stdio: [descriptor, "ignore", "ignore"],
  });
  child.on("error", () => {});
  child.unref();
  closeSync(descriptor);
}
