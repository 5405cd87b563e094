import { resolve } from "node:path";
import { findRun } from "@coppice/engine/records";
import { UsageError } from "@coppice/engine/usage-error";
import {
  type ChosenTree,
  checkText,
  checkTree,
  checkTreeName,
  choicesIn,
  chooseTree,
  prepareNewTree,
  readManifest,
  recordedParity,
  recordedParityText,
  remarksBeforehand,
} from "@coppice/ideas";
import { parityText, treeDifference, treeDocument } from "@coppice/ideas/report";
import { exitCode } from "../exit-code.ts";
import { notice, print, printAnswer, printJson } from "../print.ts";
import { interruptOnSignal, runAndPrint, runLive } from "../session/live-run.ts";
import { type TreeFlags, workOptions } from "./tree-flags.ts";

export interface RunFlags extends TreeFlags {
  readonly id?: string;
}

/** `coppice tree run`. */
export async function runTree(flags: RunFlags): Promise<void> {
  const { id, runDir: runs } = flags;
  checkTreeName(id);
  refuseDoingAgain(flags);
  const chosen = await chooseTree(flags.config, choicesIn({ ...flags }, "flags"));
  for (const remark of remarksBeforehand(chosen)) notice(remark);
  await runAndPrint(prepareNewTree(chosen), { runs, id }, workOptions(flags));
}

/** A new run has done nothing that could be done again. */
function refuseDoingAgain({ id, rerunEvals, forceRegenerateIdeas }: RunFlags): void {
  for (const [asked, flag, what] of [
    [rerunEvals, "--rerun-evals", "evaluated"],
    [forceRegenerateIdeas, "--force-regenerate-ideas", "thought of"],
  ] as const) {
    if (asked !== true) continue;
    throw new UsageError(
      `a new run has nothing that was ${what} before: use "coppice tree resume ${id ?? "<run>"} ${flag}", or leave ${flag} out`,
    );
  }
}

/** `coppice tree check`. */
export async function checkBeforehand(flags: RunFlags & { readonly agent?: boolean }): Promise<void> {
  const chosen = await chooseTree(flags.config, choicesIn({ ...flags }, "flags"));
  let stopListening = () => {};
  let interrupted = false;
  try {
    const check = await checkTree(chosen, {
      runs: flags.runDir,
      agent: flags.agent === true,
      onRun: (run) => {
        stopListening = interruptOnSignal((reason) => {
          interrupted = true;
          run.interrupt(reason);
        });
      },
    });
    printAnswer(flags.json, check, () => checkText(check));
    if (check.problem !== null) process.exitCode = interrupted ? exitCode.interrupted : exitCode.failed;
  } finally {
    stopListening();
  }
}

/** Workers of the parallel side when nothing else is said. */
const WORKERS = 4;

/** `coppice tree verify-parity`: two runs of one tree, and what they do not have in common. */
export async function verifyParity(flags: RunFlags & { readonly recorded?: string }): Promise<void> {
  if (flags.recorded !== undefined) {
    const { maxParallelEvals = WORKERS } = choicesIn({ ...flags }, "flags");
    const parity = await recordedParity(resolve(findRun(flags.recorded, flags.runDir)), maxParallelEvals);
    printAnswer(flags.json, parity, () => recordedParityText(parity));
    if (!parity.same) process.exitCode = exitCode.failed;
    return;
  }
  const name = flags.id ?? "parity";
  checkTreeName(name);
  const parallel = await chooseTree(flags.config, { maxParallelEvals: WORKERS, ...choicesIn({ ...flags }, "flags") });
  const parallelBackend = parallel.shape.dryRun ? "inline" : parallel.work.parallelBackend;
  const serial = { ...parallel, work: { ...parallel.work, maxParallelEvals: 1, parallelBackend } };
  const first = await growNamed(serial, `${name}-serial`, flags);
  const second = await growNamed(parallel, `${name}-parallel`, flags);
  const [a, b] = [first.manifest, second.manifest];
  const difference =
    first.state === "done" && second.state === "done"
      ? treeDifference(a, b)
      : "one of the two was stopped or interrupted";
  if (flags.json === true) {
    const runs = { serial: treeDocument(a, first.directory), parallel: treeDocument(b, second.directory) };
    printJson({ same: difference === undefined, difference: difference ?? null, ...runs });
  } else print(`${parityText(a, b, difference)}\n`);
  const interrupted = [first, second].some(({ state }) => state === "interrupted");
  if (difference !== undefined) process.exitCode = interrupted ? exitCode.interrupted : exitCode.failed;
}

async function growNamed(chosen: ChosenTree, id: string, flags: RunFlags) {
  const { directory, end } = await runLive(prepareNewTree(chosen), { runs: flags.runDir, id }, workOptions(flags));
  return { directory, manifest: readManifest(directory), state: end.state };
}
