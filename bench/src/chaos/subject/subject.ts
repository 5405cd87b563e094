import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { endMarkedProcesses, markedProcesses } from "@coppice/engine/child-process";
import { readHistory } from "@coppice/engine/records";
import type { Orders } from "./coordinator.ts";

const COORDINATOR = fileURLToPath(new URL("./coordinator.ts", import.meta.url));
/** How long what belongs to a run may take to end when the run has. */
const PATIENCE_MS = 10_000;

/** What a coordinator is told unless an attack wants something else. */
export function usualOrders(directory: string, tasks: number): Orders {
  return { directory, ledger: `${directory}.ledger`, resume: false, tasks, pool: "threads", workers: 2, kills: [] };
}

export type SessionEnd =
  | { readonly how: "done"; readonly digest: string }
  | { readonly how: "killed" }
  | { readonly how: "failed"; readonly code: number | null; readonly errors: string };

/** Starts a coordinator; the caller may do to it what it likes. */
export function startSession(orders: Orders): { readonly child: ChildProcess; readonly ended: Promise<SessionEnd> } {
  const child = spawn(process.execPath, [COORDINATOR, JSON.stringify(orders)], { stdio: ["ignore", "pipe", "pipe"] });
  let digest = "";
  let errors = "";
  child.stdout.on("data", (data) => {
    digest += data;
  });
  child.stderr.on("data", (data) => {
    errors += data;
  });
  const { promise, resolve, reject } = Promise.withResolvers<SessionEnd>();
  child.on("error", reject);
  child.on("close", (code, signal) => {
    if (signal === "SIGKILL") resolve({ how: "killed" });
    else if (code === 0) resolve({ how: "done", digest });
    else resolve({ how: "failed", code, errors: errors.slice(0, 2000) });
  });
  return { child, ended: promise };
}

/** The digest of a session that nothing is done to. */
export async function undisturbed(orders: Orders): Promise<string> {
  const end = await startSession(orders).ended;
  if (end.how === "done") return end.digest;
  throw new Error(`a coordinator that nobody disturbed ended otherwise: ${JSON.stringify(end)}`);
}

/** Keys with an outcome. Reading them is also the check that the journal is valid: damage throws. */
export function journaledKeys(directory: string): Set<string> {
  const path = join(directory, "journal.ndjson");
  if (!existsSync(path)) return new Set();
  const history = readHistory(path);
  return new Set([...history.successes.keys(), ...history.failures.keys()]);
}

/** Keys of all evaluations that were begun, in that order. */
export function ledgerKeys(path: string): string[] {
  return existsSync(path) ? readFileSync(path, "utf8").split("\n").filter(Boolean) : [];
}

/** How many processes of a run do not end by themselves; those are ended here. */
export async function leftRunning(directory: string): Promise<number> {
  const path = join(directory, "journal.ndjson");
  const tokens = existsSync(path) ? readHistory(path).sessions.map(({ runToken }) => runToken) : [];
  const alive = () => tokens.reduce((count, token) => count + markedProcesses(token).length, 0);
  for (const until = Date.now() + PATIENCE_MS; alive() > 0 && Date.now() < until; ) await wait(50);
  return tokens.reduce((count, token) => count + endMarkedProcesses(token), 0);
}
