import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { setTimeout as wait } from "node:timers/promises";
import { fileURLToPath } from "node:url";

const COPPICE = fileURLToPath(new URL("../../bin/coppice.js", import.meta.url));
const LOOK_MS = 20;

/** Runs `coppice …` as a process of its own and kills it, without warning, once its journal has a given number of evaluations. */
export async function killHalfWay(args: readonly string[], journal: string, evaluations: number): Promise<void> {
  // The arguments say it all: settings of the environment would make it another run than its twins.
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith("COPPICE_")));
  const child = spawn(process.execPath, [COPPICE, ...args], { env, stdio: ["ignore", "ignore", "pipe"] });
  const killWithUs = () => child.kill("SIGKILL");
  process.once("exit", killWithUs);
  let said = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    said = text;
  });
  const ended = once(child, "close");
  while (child.exitCode === null && journaled(journal) < evaluations) await wait(LOOK_MS);
  child.kill("SIGKILL");
  await ended;
  process.off("exit", killWithUs);
  if (child.exitCode !== null && child.exitCode !== 0) throw new Error(`the run to be killed failed: ${said.trim()}`);
}

/** How many evaluations a journal has. */
export function journaled(journal: string): number {
  try {
    return readFileSync(journal, "latin1").split('"type":"completed"').length - 1;
  } catch {
    return 0; // not there yet
  }
}
