import { resolve } from "node:path";
import { findRun } from "@coppice/engine/records";
import { everythingOwned, keptIds, listLeftovers, readTree, removeLeftovers } from "@coppice/ideas";
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
  const tree = readTree(resolve(directory));
  const { runRoot, plan } = tree;
  const leftovers = flags.all === true ? everythingOwned(runRoot) : await listLeftovers(runRoot, plan, keptIds(tree));
  const left = leftovers.length === 0 ? [] : await removeLeftovers(runRoot, plan, leftovers);
  const removed = leftovers.length - left.length;
  if (flags.json === true) printJson({ removed, left });
  else {
    const lines = [`removed ${removed} of ${leftovers.length}`, ...left.map((what) => `  still there: ${what}`)];
    process.stdout.write(`${lines.join("\n")}\n`);
  }
  if (left.length > 0) process.exitCode = exitCode.failed;
}
