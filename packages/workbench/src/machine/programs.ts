import { accessSync, constants, statSync } from "node:fs";
import { delimiter, join, resolve } from "node:path";
import { runChild } from "@coppice/engine/child-process";
import type { Finding } from "./finding.ts";

/** A program that some commands use. */
export interface Program {
  readonly name: string;
  /** What it may be called; the first that is found counts. */
  readonly files: readonly string[];
  readonly version: RegExp;
  /** Which commands use it, and what is without it. */
  readonly usedBy: string;
  /** Where to get it. */
  readonly advice: string;
}

/** How long a program may take to say its version, on a machine that is busy. */
const PATIENCE_MS = 10_000;

/** Which of the programs are there, and whether they start. */
export function programFindings(
  programs: readonly Program[],
  env: NodeJS.ProcessEnv,
  limitMs = PATIENCE_MS,
): Promise<Finding[]> {
  return Promise.all(programs.map((program) => programFinding(program, env, limitMs)));
}

async function programFinding(
  { name, files, version, usedBy, advice }: Program,
  env: NodeJS.ProcessEnv,
  limitMs: number,
): Promise<Finding> {
  const path = files.map((file) => onPath(file, env.PATH ?? "")).find((found) => found !== undefined);
  if (path === undefined) {
    return { name, state: "missing", needed: false, says: `not found; ${usedBy}`, advice, facts: { path: null } };
  }
  const { said, problem } = await versionOf(path, limitMs);
  const found = version.exec(said)?.[1];
  if (found !== undefined && problem === undefined) {
    return { name, state: "good", needed: false, says: `${found} at ${path}`, facts: { path, version: found } };
  }
  const says = `${path} does not say its version${problem === undefined ? "" : ` (${problem})`}; ${usedBy}`;
  return {
    name,
    state: "broken",
    needed: false,
    says,
    advice: `try ${path} --version`,
    facts: { path, version: null },
  };
}

/** The first executable file of that name, as a shell would find it. */
function onPath(file: string, path: string): string | undefined {
  const candidates = path.split(delimiter).map((folder) => resolve(join(folder === "" ? "." : folder, file)));
  return candidates.find((candidate) => {
    try {
      accessSync(candidate, constants.X_OK);
      return statSync(candidate).isFile();
    } catch {
      return false;
    }
  });
}

/** What it prints about itself. A program that hangs or floods is ended, with all it started. */
async function versionOf(path: string, timeoutMs: number): Promise<{ said: string; problem: string | undefined }> {
  const { ending, stdout } = await runChild({
    command: { kind: "program", file: path, args: ["--version"] },
    cwd: process.cwd(),
    env: process.env,
    timeoutMs,
    limits: { outputBytes: 64 * 1024 },
    signal: new AbortController().signal,
  });
  const said = new TextDecoder().decode(stdout.bytes);
  switch (ending.kind) {
    case "exited":
      return { said, problem: ending.code === 0 ? undefined : `exit code ${ending.code}` };
    case "timeout":
      return { said, problem: `no answer within ${timeoutMs} ms` };
    case "signalled":
      return { said, problem: ending.signal };
    default:
      return { said, problem: ending.reason };
  }
}
