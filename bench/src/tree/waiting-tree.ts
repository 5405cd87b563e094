import { execFile, execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { runToEnd } from "@coppice/engine/session";
import {
  defaultShape,
  defaultWork,
  layout,
  type Manifest,
  parseTreeFile,
  prepareNewTree,
  readManifest,
} from "@coppice/ideas";
import { cpuTimeMs } from "./cpu-time.ts";

/** Where the time of one depth of real evaluations went. */
export interface MeasuredDepth {
  /** From the start of the first evaluation to the end of the last. */
  readonly wallMs: number;
  /** Of that, per evaluation, what its steps took: child processes, not us. */
  readonly stepsMs: number;
  /** CPU time of the whole run: coordinator, workers, git and steps. */
  readonly cpuMs: number;
  /** Time from the start to the end of one evaluation, on average. */
  readonly evaluationMs: number;
}

/**
 * Grows one depth over a small repository for real: a worktree, a change, a commit, a branch and a CSV per idea, every
 * step a child process, and the first of them waits.
 */
export async function growWaiting(ideas: number, workers: number, waitMs: number): Promise<MeasuredDepth> {
  const folder = mkdtempSync(join(tmpdir(), "coppice-bench-tree-"));
  try {
    const commit = makeRepository(folder, ideas);
    const { config } = parseTreeFile(configText(waitMs), join(folder, "coppice.tree.yaml"));
    const tree = prepareNewTree({
      rootCommit: commit,
      config,
      shape: { ...defaultShape, repeats: 1, ideasPerNode: ideas },
      work: { ...defaultWork, maxDepth: 1, maxParallelEvals: workers },
    });
    const before = cpuTimeMs();
    const { directory } = await runToEnd(tree, { runs: folder, id: "run" }, {});
    return { ...measured(directory, readManifest(directory)), cpuMs: cpuTimeMs() - before };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The git commands of one evaluation and nothing else: how long they take on this machine, now. */
export async function bareGit(times: number): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), "coppice-bench-git-"));
  try {
    const commit = makeRepository(folder, 0);
    const repository = join(folder, "repository");
    const git = async (cwd: string, ...args: string[]) =>
      (await execute("git", [...person, ...args], { cwd })).stdout.trim();
    const before = performance.now();
    for (let i = 0; i < times; i++) {
      const worktree = join(folder, `worktree-${i}`);
      await git(repository, "worktree", "add", "--quiet", "--detach", "--no-checkout", worktree, commit);
      await git(worktree, "reset", "--hard", "--quiet");
      writeFileSync(join(worktree, "value.txt"), `${i}\n`);
      await git(worktree, "add", "--all", "--", ".");
      await git(worktree, "diff", "--cached", "--patch", commit);
      const tree = await git(worktree, "write-tree");
      const change = await git(worktree, "commit-tree", tree, "-p", commit, "-m", "Change");
      await git(repository, "update-ref", `refs/heads/change-${i}`, change);
    }
    return (performance.now() - before) / times;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const execute = promisify(execFile);
const person = ["-c", "user.name=Bench", "-c", "user.email=bench@example.org"];

function makeRepository(folder: string, ideas: number): string {
  const repository = join(folder, "repository");
  mkdirSync(repository);
  mkdirSync(join(folder, "ideas"));
  for (let i = 1; i <= ideas; i++) writeFileSync(join(folder, "ideas", `${i}.md`), `Let the value be ${i}\n`);
  for (let i = 0; i < 50; i++) writeFileSync(join(repository, `file-${i}.txt`), `${i}\n`.repeat(100));
  const git = (...args: string[]) => execFileSync("git", [...person, ...args], { cwd: repository, encoding: "utf8" });
  git("init", "--quiet", "--initial-branch=main");
  git("add", "--all");
  git("commit", "--quiet", "--message", "Begin");
  return git("rev-parse", "HEAD").trim();
}

function configText(waitMs: number): string {
  return `
repository: repository
ideas: { folder: ideas }
steps:
  implement: sleep ${waitMs / 1000} && cat {idea} > value.txt
  sweep: "printf 'config_id,value\\\\n0,1\\\\n' > {results}"
score:
  primary: value
  metrics: [{ column: value, weight: 1, better: higher }]
`;
}

function measured(runRoot: string, manifest: Manifest): Omit<MeasuredDepth, "cpuMs"> {
  const evaluations = Object.values(manifest.evaluations);
  const failed = evaluations.find(({ status }) => status !== "completed");
  if (failed !== undefined) throw new Error(`evaluation ${failed.eval_id} is ${failed.status}: ${failed.error}`);
  const starts = evaluations.map(({ started_at }) => Date.parse(started_at ?? ""));
  const ends = evaluations.map(({ finished_at }) => Date.parse(finished_at ?? ""));
  const steps = evaluations.map(({ eval_id }) => stepTime(join(runRoot, layout.stepTimes(eval_id))));
  return {
    wallMs: Math.max(...ends) - Math.min(...starts),
    stepsMs: mean(steps),
    evaluationMs: mean(ends.map((end, i) => end - starts[i])),
  };
}

function stepTime(path: string): number {
  const lines = readFileSync(path, "utf8").trimEnd().split("\n");
  return lines.reduce((sum, line) => sum + (JSON.parse(line) as { ms: number }).ms, 0);
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
