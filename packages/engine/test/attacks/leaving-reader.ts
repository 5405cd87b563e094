import assert from "node:assert/strict";
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { closeSync, existsSync, openSync } from "node:fs";
import { shellWord } from "../../src/child-process/command-line.ts";
import { processStart } from "../../src/child-process/process-table.ts";
import { readHistory } from "../../src/journal/history.ts";
import { runningProcess } from "../../src/run-directory/lock.ts";
import {
  type AttackedRun,
  completedKeys,
  type Harm,
  harmOf,
  journalOf,
  launch,
  type NotHere,
  until,
  untilCompleted,
} from "./attacked-run.ts";

/** Ways in which whoever reads what a run prints can go away. */
export type Reader = "pipe" | "full disk" | "terminal" | "terminal of nohup";

/**
 * Whoever reads what a run prints goes away. It goes on to its end; only one that was started on a terminal ends with
 * that, in order, and can be resumed.
 */
export async function loseReader(run: AttackedRun, reader: Reader): Promise<Harm | NotHere> {
  if (reader === "pipe") return losePipe(run);
  if (reader === "full disk") return fillDisk(run);
  return closeTerminal(run, reader === "terminal of nohup");
}

/** As `… 2>&1 | head -1` does. */
async function losePipe(run: AttackedRun): Promise<Harm> {
  const [file = "", ...args] = run.start;
  const child = spawn(file, args, { cwd: run.cwd, env: environmentOf(run), stdio: ["ignore", "pipe", "pipe"] });
  const exited = exitOf(child);
  child.stderr.once("data", () => {
    child.stdout.destroy();
    child.stderr.destroy();
  });
  return toTheEnd(run, exited);
}

/** As `… >/dev/null 2>/dev/full` does. */
async function fillDisk(run: AttackedRun): Promise<Harm | NotHere> {
  if (!existsSync("/dev/full")) return { skipped: "there is no /dev/full here" };
  const [file = "", ...args] = run.start;
  const full = openSync("/dev/full", "w");
  const child = spawn(file, args, { cwd: run.cwd, env: environmentOf(run), stdio: ["ignore", "ignore", full] });
  closeSync(full);
  return toTheEnd(run, exitOf(child));
}

async function toTheEnd(run: AttackedRun, exited: Promise<number | null>): Promise<Harm> {
  await untilCompleted(run, 3);
  const before = completedKeys(run);
  run.letGo();
  assert.equal(await exited, 0);
  return harmOf(run, before);
}

/** A real terminal, with the run as all there is on it, is closed: the kernel sends SIGHUP, and writing to it is EIO. */
async function closeTerminal(run: AttackedRun, nohup: boolean): Promise<Harm | NotHere> {
  if (spawnSync("script", ["--version"], { stdio: "ignore" }).status !== 0) {
    return { skipped: "there is no script(1) that could make a terminal" };
  }
  const command = run.start.map(shellWord).join(" ");
  const line = nohup ? `nohup ${command} & wait` : `exec ${command}`;
  const terminal = spawn("script", ["-q", "-f", "-c", line, "/dev/null"], {
    cwd: run.cwd,
    env: { ...environmentOf(run), SHELL: "/bin/sh" },
    stdio: ["ignore", "ignore", "ignore"],
  });
  await untilCompleted(run, 3);
  const before = completedKeys(run);
  const pid = runningProcess(run.directory)?.pid ?? 0;
  const start = processStart(pid);
  const gone = () => processStart(pid) !== start;
  terminal.kill("SIGKILL");
  if (nohup) {
    run.letGo();
    await until("the end of the run", gone);
    return harmOf(run, before);
  }
  await until("the end of what was on the terminal", gone);
  const end = readHistory(journalOf(run)).end;
  assert.equal(end?.event, "interrupted");
  run.letGo();
  const { code, stderr } = await launch(run, run.resume).ended;
  assert.equal(code, 0, stderr);
  return harmOf(run, before);
}

function environmentOf(run: AttackedRun): NodeJS.ProcessEnv {
  return { ...process.env, ...run.environment };
}

function exitOf(child: ChildProcess): Promise<number | null> {
  return new Promise((resolve) => child.on("exit", resolve));
}
