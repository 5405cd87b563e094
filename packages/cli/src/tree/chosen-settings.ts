import { existsSync, readdirSync, statSync } from "node:fs";
import { UsageError } from "@coppice/engine";
import { poolKind } from "@coppice/engine/pools";
import {
  defaultShape,
  defaultWork,
  isIdeaName,
  missingProgram,
  openRepository,
  parseTreeFile,
  ROOT_ID,
  readIdeaFile,
  readTreeFile,
  type TreeChoices,
  type TreeConfig,
  type TreeFile,
  type TreeShape,
  type TreeWork,
  unfitPlaceholder,
} from "@coppice/ideas";
import { type TreeFlags, typedChoices } from "./tree-flags.ts";

const CONFIG = "coppice.tree.yaml";

/** Everything that is decided before a run gets its directory. */
export interface ChosenTree {
  readonly config: TreeConfig;
  readonly shape: TreeShape;
  readonly work: TreeWork;
  readonly rootCommit: string;
}

/** Reads and checks configuration, flags and repository; touches nothing. */
export async function chooseTree(flags: TreeFlags): Promise<ChosenTree> {
  const dryRun = flags.dryRun === true;
  const file = treeFile(flags.config, dryRun);
  const choices: TreeChoices = { ...file.choices, ...typedChoices(flags) };
  const shape = pick(defaultShape, choices);
  // Pretended evaluations are too short to be worth a process each.
  const pretending = (choices.maxParallelEvals ?? 1) > 1 ? "threads" : "inline";
  const work = pick<TreeWork>({ ...defaultWork, ...(dryRun && { parallelBackend: pretending }) }, choices);
  checkBackend(shape, work);
  if (dryRun) return { config: file.config, shape, work, rootCommit: "0".repeat(40) };
  const { root: top, commit } = await openRepository(file.config.repository, { clean: true });
  const config = { ...file.config, repository: top };
  checkFiles(config);
  const wrong = unfitPlaceholder(config, shape.sweepConfigLimit) ?? missingProgram(config, top);
  if (wrong !== undefined) throw new UsageError(`${flags.config ?? CONFIG}: ${wrong}`);
  return { config, shape, work, rootCommit: commit };
}

/** A dry run needs no configuration; any other does. */
function treeFile(given: string | undefined, dryRun: boolean): TreeFile {
  if (dryRun && given === undefined && !existsSync(CONFIG)) {
    return parseTreeFile("ideas: { folder: ideas }\nsteps: { implement: 'true', sweep: 'true' }\n", CONFIG);
  }
  return readTreeFile(given ?? CONFIG);
}

/** Threads and the coordinator itself cannot be ended together with the processes a step has started. */
export function checkBackend(shape: TreeShape, { parallelBackend, maxParallelEvals }: TreeWork): void {
  const kind = poolKind(parallelBackend, ": choose one with --parallel-backend");
  if (kind.oneAtATime === true && maxParallelEvals > 1) {
    throw new UsageError(
      `--parallel-backend ${kind.kind} evaluates one at a time: leave --max-parallel-evals ${maxParallelEvals} out, or use processes`,
    );
  }
  if (!kind.endsChildren && kind.oneAtATime !== true && !shape.dryRun) {
    throw new UsageError(
      `--parallel-backend ${kind.kind} is for dry runs: a ${kind.worker ?? "worker"} of it cannot be ended together with what its steps started; use processes`,
    );
  }
}

function checkFiles({ baseline, ideas }: TreeConfig): void {
  if (baseline !== null && !isFile(baseline)) throw new UsageError(`there is no baseline ${baseline}: name a CSV file`);
  if (ideas.kind === "folder") checkIdeas(ideas.path.replaceAll("{node}", ROOT_ID).replaceAll("{depth}", "0"));
}

/** The root must have an idea that can be used. */
function checkIdeas(folder: string): void {
  if (!isDirectory(folder))
    throw new UsageError(`there is no folder ${folder}: put ideas there, one markdown file each`);
  const files = readdirSync(folder).filter(isIdeaName);
  if (files.length === 0) throw new UsageError(`${folder} holds no idea: put one markdown file (*.md) there for each`);
  const reasons = files.flatMap((name) => {
    const file = readIdeaFile(folder, name);
    return file.usable ? [] : [`${JSON.stringify(name)}: ${file.reason}`];
  });
  if (reasons.length === files.length) throw new UsageError(`${folder} holds no usable idea (${reasons[0]})`);
}

function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() === true;
}

function isDirectory(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}

/** The fields of `defaults`, as chosen where they were. */
function pick<Fields extends object>(defaults: Fields, choices: TreeChoices): Fields {
  const names = Object.keys(defaults);
  const chosen = Object.entries(choices).filter(([name]) => names.includes(name));
  return { ...defaults, ...Object.fromEntries(chosen) };
}
