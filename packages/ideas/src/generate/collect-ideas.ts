import { existsSync, mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Task } from "@coppice/engine/evaluator";
import type { Idea, IdeasResult, IdeasTask, StepConfig, TreeNode } from "../contract.ts";
import { clearOwner } from "../evaluate/code-place.ts";
import { keepBytes, readKept } from "../evaluate/kept-file.ts";
import { measuredOf } from "../evaluate/measure.ts";
import { Pipeline } from "../evaluate/pipeline.ts";
import type { Site } from "../evaluate/site.ts";
import { ideaHash } from "../plan/idea-hash.ts";
import { layout } from "../run-layout.ts";
import { NO_COST, StepFailed } from "../steps/step-failed.ts";
import { isIdeaName, readIdeaFile } from "./idea-file.ts";

/** Collects a node's ideas from its folder or from the generator, and puts them aside in `node_ideas/<node>/`. */
export async function collectIdeas(site: Site, task: IdeasTask, given: Task): Promise<IdeasResult> {
  const { ideas: source } = site.settings.config;
  const { nodeId } = task.node;
  rmSync(join(site.runRoot, layout.nodeIdeas(nodeId)), { recursive: true, force: true });
  if (source.kind === "folder") {
    return { ...takeIdeas(site, nodeId, ideaFolder(source.path, task.node)), cost: NO_COST };
  }
  return generate(site, task, source.step, given);
}

/** A node's folder; only the root must have one. */
function ideaFolder(pattern: string, { nodeId, depth }: TreeNode): string | undefined {
  const path = pattern.replaceAll("{node}", nodeId).replaceAll("{depth}", String(depth));
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory() === true) return path;
  if (depth > 0) return undefined;
  throw new StepFailed("StepFailed", `the idea folder ${path} does not exist`, { step: "ideas" });
}

async function generate(site: Site, task: IdeasTask, step: StepConfig, given: Task): Promise<IdeasResult> {
  const { node, count } = task;
  const owner = `i${node.nodeId}`;
  await clearOwner(site, owner);
  const { runRoot, repository, settings } = site;
  const temp = `${layout.nodeIdeas(node.nodeId)}.tmp`;
  const ideas = join(runRoot, temp, "ideas");
  const output = join(runRoot, temp, "output");
  site.belongings.claim({ kind: "folder", path: join(runRoot, temp) }, owner);
  for (const folder of [ideas, output]) mkdirSync(folder, { recursive: true });
  const context = writeContext(site, task);
  const baseline = join(runRoot, temp, "baseline.csv");
  writeFileSync(baseline, readKept(runRoot, node.baseline));
  const worktree = layout.nodeWorktree(node.nodeId);
  const pipeline = new Pipeline(
    site,
    {
      owner,
      logs: `logs/idea_generation/${node.nodeId}`,
      times: `logs/idea_generation/${node.nodeId}/steps.ndjson`,
      temp: `${temp}/tmp`,
      worktree,
      timeoutMs: settings.work.evalTimeoutMs,
    },
    given,
  );
  const { sweepConfigLimit } = settings.shape;
  await pipeline.run("ideas", step, {
    worktree: join(runRoot, worktree),
    node: node.nodeId,
    depth: String(node.depth),
    commit: node.commit,
    repository,
    output,
    baseline,
    ideas,
    count: String(count),
    context,
    ...(sweepConfigLimit !== null && { limit: String(sweepConfigLimit) }),
  });
  const taken = takeIdeas(site, node.nodeId, ideas);
  if (taken.ideas.length === 0) {
    const [first] = taken.refused;
    const why =
      first === undefined ? "no *.md file" : `nothing usable (${JSON.stringify(first.name)}: ${first.reason})`;
    throw pipeline.failed("StepFailed", `the idea generator ended well but wrote ${why} to {ideas}`, "ideas");
  }
  await clearOwner(site, owner);
  return { ...taken, cost: pipeline.cost };
}

/** What a generator may know, as a JSON file: this node's metrics and the branch's history. */
function writeContext(site: Site, { node, count, context }: IdeasTask): string {
  const path = join(site.runRoot, layout.nodeContext(node.nodeId));
  const { metrics, rows } = measuredOf(site, node.baseline);
  mkdirSync(join(site.runRoot, layout.nodeIdeas(node.nodeId)), { recursive: true });
  // Paths in it are relative to the run's folder.
  const { runRoot } = site;
  writeFileSync(path, `${JSON.stringify({ runRoot, node, count, metrics, rows, ...context }, null, 2)}\n`);
  return path;
}

/** Copies the usable files, in the order of their lower-case names; equal ones by the names themselves. */
function takeIdeas(
  site: Site,
  nodeId: string,
  folder: string | undefined,
): Pick<IdeasResult, "kind" | "ideas" | "refused"> {
  const names = folder === undefined || !existsSync(folder) ? [] : readdirSync(folder).filter(isIdeaName);
  const inOrder = names.sort((a, b) => compareText(a.toLowerCase(), b.toLowerCase()) || compareText(a, b));
  const ideas: Idea[] = [];
  const refused: { name: string; reason: string }[] = [];
  for (const name of inOrder) {
    const file = readIdeaFile(folder ?? "", name);
    if (file.usable) {
      const kept = keepBytes(site.runRoot, `${layout.nodeIdeas(nodeId)}/${name}`, file.bytes);
      ideas.push({ name, ...kept, textHash: ideaHash(file.text) });
    } else refused.push({ name, reason: file.reason });
  }
  return { kind: "ideas", ideas, refused };
}

/** By code units: the same on every machine, whatever its language. */
function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
