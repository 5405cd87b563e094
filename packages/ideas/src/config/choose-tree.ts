import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { unreadable } from "@coppice/engine/files";
import { poolKind } from "@coppice/engine/pools";
import { UsageError } from "@coppice/engine/usage-error";
import { isIdeaName, readIdeaFile } from "../generate/idea-file.ts";
import { openRepository } from "../git/repository.ts";
import { runGit } from "../git/run-git.ts";
import { ResultsError, readScorable } from "../results/results-table.ts";
import { ROOT_ID } from "../search/tree-state.ts";
import type { TreeConfig, TreeSettings, TreeShape, TreeWork } from "../settings.ts";
import { missingProgram, unfitPlaceholder } from "./check-steps.ts";
import { defaultShape, defaultWork, pretendedScore, type TreeChoices } from "./choices.ts";
import { parseTreeFile, readTreeFile, type TreeFile } from "./tree-file.ts";

const CONFIG = "coppice.tree.yaml";

/** Everything that is decided before a run gets its directory. */
export type ChosenTree = Pick<TreeSettings, "config" | "shape" | "work" | "rootCommit" | "configFile">;

/** Reads and checks the configuration file, the repository, and what was typed; touches nothing. */
export async function chooseTree(given: string | undefined, typed: TreeChoices): Promise<ChosenTree> {
  const dryRun = typed.dryRun === true;
  const file = treeFile(given, dryRun);
  const choices: TreeChoices = { ...file.choices, ...typed };
  const shape = pick(defaultShape, choices);
  // Pretended evaluations are too short to be worth a process each.
  const pretending = (choices.maxParallelEvals ?? 1) > 1 ? "threads" : "inline";
  const work = pick<TreeWork>({ ...defaultWork, ...(dryRun && { parallelBackend: pretending }) }, choices);
  checkBackend({ shape, work });
  checkRepeats(shape);
  if (dryRun) return { config: file.config, shape, work, rootCommit: "0".repeat(40) };
  const configFile = file.read;
  const { root, commit } = await openRepository(file.config.repository, { clean: true });
  const config = { ...file.config, repository: root };
  checkFiles(config);
  checkBaseline(config, shape, configFile.path);
  await checkLinks(config, configFile.path);
  const wrong = unfitPlaceholder(config, shape) ?? missingProgram(config, root);
  if (wrong !== undefined) throw new UsageError(`${given ?? CONFIG}: ${wrong}`);
  return { config, shape, work, rootCommit: commit, configFile };
}

/** A dry run needs no configuration; any other does. */
function treeFile(given: string | undefined, dryRun: boolean): TreeFile {
  if (dryRun && given === undefined && !existsSync(CONFIG)) {
    const pretended =
      "ideas: { folder: ideas }\nsteps: { implement: 'true', sweep: 'true' }\nscore: { command: 'true' }\n";
    const file = parseTreeFile(pretended, CONFIG);
    return { ...file, config: { ...file.config, score: pretendedScore } };
  }
  return readTreeFile(given ?? configAbove(process.cwd()) ?? CONFIG);
}

/** The configuration of this folder or of the nearest one above. */
function configAbove(folder: string): string | undefined {
  const path = join(folder, CONFIG);
  if (existsSync(path)) return relative(process.cwd(), path);
  return dirname(folder) === folder ? undefined : configAbove(dirname(folder));
}

/** What is linked must be there, must not be git's, as a worktree has its own of that, and lie in nothing else that is. */
async function checkLinks({ repository, link, share }: TreeConfig, path: string): Promise<void> {
  const missing = link.find((each) => !existsSync(join(repository, each)));
  if (missing !== undefined) {
    throw new UsageError(`${path}: link: there is no ${join(repository, missing)}: make it first, or leave it out`);
  }
  const linked = [...link, ...share];
  for (const [index, each] of linked.entries()) {
    const outer = linked.find((other, at) => at !== index && `${each}/`.startsWith(`${other}/`));
    if (outer !== undefined) {
      const what =
        outer === each ? `${each} twice: once is enough` : `${each} and ${outer}, which holds it: leave one out`;
      throw new UsageError(`${path}: link and share name ${what}`);
    }
    if ((await runGit(repository, ["ls-files", "--", `:(literal)${each}`])) === "") continue;
    throw new UsageError(
      `${path}: ${each} is tracked by git, so every worktree has it: leave it out of link and share`,
    );
  }
}

/** What is measured on cannot be measured less often than everything is. */
function checkRepeats({ repeats, maxRepeats }: TreeShape): void {
  if (repeats === "auto" || maxRepeats === null || maxRepeats >= repeats) return;
  throw new UsageError(
    `max_repeats is ${maxRepeats}, less than repeats ${repeats}: give ${repeats} or more, or leave it out`,
  );
}

/** Threads and the coordinator itself cannot be ended together with the processes a step has started. */
export function checkBackend({ shape, work }: Pick<TreeSettings, "shape" | "work">, flag = "--parallel-backend"): void {
  const { parallelBackend, maxParallelEvals } = work;
  const kind = poolKind(parallelBackend, `: choose one with ${flag}`);
  if (kind.oneAtATime === true && maxParallelEvals > 1) {
    throw new UsageError(
      `${flag} ${kind.kind} evaluates one at a time: use processes, or --max-parallel-evals 1 (it is ${maxParallelEvals})`,
    );
  }
  if (!kind.endsChildren && kind.oneAtATime !== true && !shape.dryRun) {
    throw new UsageError(
      `${flag} ${kind.kind} is for dry runs: it cannot end a ${kind.worker ?? "worker"} together with what its steps started; use processes`,
    );
  }
}

function checkFiles({ baseline, ideas }: TreeConfig): void {
  const isFile = (path: string) => statSync(path, { throwIfNoEntry: false })?.isFile() === true;
  if (baseline !== null && !isFile(baseline)) throw new UsageError(`there is no baseline ${baseline}: name a CSV file`);
  if (ideas.kind === "folder") checkIdeas(ideas.path.replaceAll("{node}", ROOT_ID).replaceAll("{depth}", "0"));
}

/** A run that could not begin is better not made. */
function checkBaseline(config: TreeConfig, { sweepConfigLimit }: TreeShape, path: string): void {
  const { baseline } = config;
  if (baseline === null) return;
  try {
    readScorable(readFileSync(baseline, "utf8"), config, sweepConfigLimit, baseline);
  } catch (error) {
    throw new UsageError(`${path}: baseline: ${error instanceof ResultsError ? error.message : unreadable(error)}`);
  }
}

/** The root must have an idea that can be used. */
function checkIdeas(folder: string): void {
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true) {
    throw new UsageError(`there is no folder ${folder}: put ideas there, one markdown file each`);
  }
  const files = readdirSync(folder).filter(isIdeaName);
  if (files.length === 0) throw new UsageError(`${folder} holds no idea: put one markdown file (*.md) there for each`);
  const reasons = files.flatMap((name) => {
    const file = readIdeaFile(folder, name);
    return file.usable ? [] : [`${JSON.stringify(name)}: ${file.reason}`];
  });
  if (reasons.length === files.length) throw new UsageError(`${folder} holds no usable idea (${reasons[0]})`);
}

/** The run's name is part of branch names, where git allows less than a folder does. */
export function checkTreeName(id: string | undefined): void {
  if (id === undefined || !/(\.lock|\.)$/i.test(id)) return;
  throw new UsageError(`run id ${JSON.stringify(id)} is not usable: git has no branches that end with "." or ".lock"`);
}

/** The fields of `defaults`, as chosen where they were. */
function pick<Fields extends TreeShape | TreeWork>(defaults: Fields, choices: TreeChoices): Fields {
  const chosen = Object.entries(choices).filter(([name]) => Object.hasOwn(defaults, name));
  return { ...defaults, ...Object.fromEntries(chosen) };
}
