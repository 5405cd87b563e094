import { type Manifest, treeDifference } from "@coppice/ideas";
import { exitCode } from "../exit-code.ts";
import { printJson } from "../session/print-json.ts";
import { chooseTree } from "./chosen-settings.ts";
import { lineUp } from "./print-tree.ts";
import { checkName, type RunFlags, startTree } from "./run.ts";

/** Workers of the parallel side when nothing else is said. */
const WORKERS = 4;

/** `coppice tree verify-parity`: two runs of one tree, and what they do not have in common. */
export async function verifyParity(flags: RunFlags): Promise<void> {
  const name = flags.id ?? "parity";
  checkName(name);
  const parallel = await chooseTree({ ...flags, maxParallelEvals: flags.maxParallelEvals ?? WORKERS });
  const backend = parallel.shape.dryRun ? "inline" : parallel.work.parallelBackend;
  const serial = { ...parallel, work: { ...parallel.work, maxParallelEvals: 1, parallelBackend: backend } };
  const first = await startTree(serial, flags, `${name}-serial`);
  const second = await startTree(parallel, flags, `${name}-parallel`);
  const [a, b] = [first.grown.manifest, second.grown.manifest];
  const ended = [first, second].every(({ grown }) => grown.end.state === "done");
  const difference = ended ? treeDifference(a, b) : "one of the two was stopped or interrupted";
  if (flags.json === true) {
    const runs = { serial: lineUp(a, first.directory), parallel: lineUp(b, second.directory) };
    printJson({ same: difference === undefined, difference: difference ?? null, ...runs });
  } else process.stdout.write(`${parityText(a, b, difference)}\n`);
  if (difference !== undefined) process.exitCode = exitCode.failed;
}

function parityText(a: Manifest, b: Manifest, difference: string | undefined): string {
  const runs = `${a.tree_run_id} and ${b.tree_run_id}`;
  if (difference !== undefined) return `${runs} differ: ${difference}`;
  const count = Object.keys(a.evaluations).length;
  const digest = a.state.digest === b.state.digest ? `, one digest ${a.state.digest ?? ""}` : "";
  return `${runs} are one tree: ${count} evaluations, ${Object.keys(a.nodes).length - 1} promotions${digest}`;
}
