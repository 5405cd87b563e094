import { resolve } from "node:path";
import { findRun } from "@coppice/engine/records";
import { allBelongings, neededIds, openTree, removeNamed, unneededBelongings } from "@coppice/ideas";
import { exitCode } from "../exit-code.ts";
import { printJson } from "../session/print-json.ts";
import { refuseIfLive } from "./resume.ts";
import type { ReadFlags } from "./status.ts";

export interface CleanFlags extends ReadFlags {
  readonly all?: boolean;
}

/** `coppice tree clean <run>`: removes what the run made and nothing else. */
export async function cleanTree(named: string, flags: CleanFlags): Promise<void> {
  const directory = findRun(named, flags.runDir);
  refuseIfLive(directory);
  const { runRoot, settings, journal } = openTree(resolve(directory));
  const made = flags.all === true ? allBelongings(runRoot) : unneededBelongings(runRoot, neededIds(settings, journal));
  const left = made.length === 0 ? [] : await removeNamed(runRoot, settings, made);
  const removed = made.length - left.length;
  if (flags.json === true) printJson({ removed, left });
  else {
    const lines = [`removed ${removed} of ${made.length}`, ...left.map((what) => `  still there: ${what}`)];
    process.stdout.write(`${lines.join("\n")}\n`);
  }
  if (left.length > 0) process.exitCode = exitCode.failed;
}
