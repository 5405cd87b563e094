import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestContext } from "node:test";
import { setTimeout as wait } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { runInCommandProcess } from "./command-process.ts";

export const COPPICE = fileURLToPath(new URL("../bin/coppice.js", import.meta.url));

/** The module most tests run: squares of the first `count` numbers, added up. */
export const SQUARES = fileURLToPath(new URL("./modules/squares.ts", import.meta.url));

export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A place of its own for a test, removed when it has ended. */
export function temporaryDirectory(t: TestContext): string {
  const directory = mkdtempSync(join(tmpdir(), "coppice-cli-"));
  t.after(() => rmSync(directory, { recursive: true, force: true }));
  return directory;
}

/** Writes a file into a directory and returns its path. */
export function file(directory: string, name: string, text: string): string {
  const path = join(directory, name);
  writeFileSync(path, text);
  return path;
}

/**
 * Types `coppice …` in a directory. The lines of a test file share one process, which saves what starting it takes; for a
 * process of its own, as a user has it, see {@link launch}.
 */
export function coppice(
  directory: string,
  args: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): Promise<Ended> {
  return runInCommandProcess({ directory, args, environment }, plainEnvironment());
}

/** Types it in a process of its own and does not wait; the process is ended with the test. */
export function launch(
  directory: string,
  args: readonly string[],
  environment: Readonly<Record<string, string>> = {},
  t?: TestContext,
  input: "ignore" | "pipe" = "ignore",
): ChildProcess {
  const child = spawn(process.execPath, [COPPICE, ...args], {
    cwd: directory,
    env: { ...plainEnvironment(), ...environment },
    stdio: [input, "pipe", "pipe"],
  });
  t?.after(() => child.kill("SIGKILL"));
  return child;
}

/** Types it in a shell whose line starts it as `"$0" "$@"`; does not wait. */
export function launchShell(directory: string, line: string, args: readonly string[], t: TestContext): ChildProcess {
  const shell = ["-c", line, process.execPath, COPPICE, ...args];
  const child = spawn("/bin/sh", shell, { cwd: directory, env: plainEnvironment(), stdio: ["ignore", "pipe", "pipe"] });
  t.after(() => child.kill("SIGKILL"));
  return child;
}

/** The environment without settings of whoever runs the tests. */
export function plainEnvironment(): NodeJS.ProcessEnv {
  const inherited = Object.entries(process.env).filter(
    ([name]) => !name.startsWith("COPPICE_") && name !== "NODE_OPTIONS",
  );
  return Object.fromEntries(inherited);
}

export function ended(child: ChildProcess): Promise<Ended> {
  let stdout = "";
  let stderr = "";
  child.stdout?.setEncoding("utf8").on("data", (text: string) => {
    stdout += text;
  });
  child.stderr?.setEncoding("utf8").on("data", (text: string) => {
    stderr += text;
  });
  return new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (code) => resolve({ code, stdout, stderr }));
  });
}

/** Asserts that a command was refused: exit code 2, nothing on standard output, one line that matches. */
export function assertRefused({ code, stdout, stderr }: Ended, line: RegExp): void {
  assert.equal(stderr.split("\n").length, 2, `one line, not: ${stderr}`);
  assert.match(stderr, line);
  assert.equal(code, 2);
  assert.equal(stdout, "");
}

/** Asserts that a command went well and returns the JSON document it printed, with what became of the run where tools put it aside. */
export function document({ code, stdout, stderr }: Ended): Record<string, unknown> {
  assert.equal(code, 0, stderr);
  const { run, ...own } = JSON.parse(stdout) as Record<string, unknown> & { readonly run?: object };
  return { ...run, ...own };
}

/** Waits until a journal has at least so many evaluations. */
export async function journaled(directory: string, count: number): Promise<void> {
  const path = join(directory, "journal.ndjson");
  for (const until = Date.now() + 60_000; Date.now() < until; await wait(10)) {
    try {
      if (readFileSync(path, "latin1").split('"type":"completed"').length > count) return;
    } catch {
      // not there yet
    }
  }
  assert.fail(`${path} did not get ${count} evaluations within a minute`);
}
