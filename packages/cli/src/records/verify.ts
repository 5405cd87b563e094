import { formatCount } from "@coppice/engine/display";
import { onlyGiven } from "@coppice/engine/only-given";
import { findRun, readRunFile, type Verification, verifyRun } from "@coppice/engine/records";
import { exitCode } from "../exit-code.ts";
import { chosenPool } from "../options/pool-choice.ts";
import type { PlaceOptions, WorkOptions } from "../options/run-options.ts";
import { print, printJson } from "../print.ts";
import { rebuild } from "../tools/rebuild.ts";

export interface VerifyFlags extends PlaceOptions, Pick<WorkOptions, "workers" | "pool" | "json"> {
  readonly all?: boolean;
  readonly module?: string;
  readonly sample: number;
}

/** `coppice verify <run>`: replays the journal, evaluates a sample again, and says whether all of it agrees. */
export async function verifyRecord(named: string, flags: VerifyFlags): Promise<void> {
  const directory = findRun(named, flags.runDir);
  const file = readRunFile(directory);
  const pool = await chosenPool(flags, file);
  const prepared = await rebuild(file, directory, undefined, flags.module);
  const { search, evaluator, evaluatorFiles, evaluatorFolders, shared, impure } = prepared;
  const verification = await verifyRun({
    directory,
    search,
    evaluator,
    ...onlyGiven({ evaluatorFiles, evaluatorFolders, shared }),
    pool,
    ...(impure === undefined ? {} : { impure }),
    sample: flags.all === true ? "all" : flags.sample,
  });
  if (flags.json === true) printJson({ id: file.id, ...verification });
  else print(`${verificationText(file.id, verification)}\n`);
  if (!verification.reproducible) process.exitCode = exitCode.failed;
}

function verificationText(id: string, verification: Verification): string {
  const { reproducible, problems, notes } = verification;
  const verdict = reproducible ? agreement(id, verification) : `run ${id} is NOT reproducible`;
  return [verdict, ...problemLines(problems), ...notes.map((note) => `  note: ${note}`)].join("\n");
}

function agreement(id: string, { complete, tells, digest, reevaluated, outcomes, from }: Verification): string {
  const what = complete ? `run ${id} is reproducible` : `run ${id} is not finished, but reproducible so far`;
  const limits =
    from.from === "seed" ? "" : `\n  from its journal, not from its seed: ${from.reason} at tell ${from.tell}`;
  return `${what}: ${formatCount(tells)} tells replayed, ${formatCount(reevaluated)} of ${formatCount(outcomes)} evaluations done again\n  digest ${digest}${limits}`;
}

/** Problems that are printed; all of them are in `--json`. */
const MOST_PROBLEMS = 20;

function problemLines(problems: Verification["problems"]): string[] {
  const shown = problems.slice(0, MOST_PROBLEMS).map(({ message }) => `  ${message}`);
  return problems.length <= MOST_PROBLEMS
    ? shown
    : [...shown, `  … and ${problems.length - MOST_PROBLEMS} more: --json has all`];
}
