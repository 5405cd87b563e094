import { existsSync, mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Task } from "@coppice/engine/evaluator";
import type { IdeasResult, IdeasTask, TreeNode } from "../contract.ts";
import { writeBrief } from "../conversation/conversation-brief.ts";
import { hear, remember } from "../conversation/heard.ts";
import { clearOwner } from "../evaluate/code-place.ts";
import { readKept } from "../evaluate/kept-file.ts";
import { measuredOf } from "../evaluate/measure.ts";
import { Pipeline } from "../evaluate/pipeline.ts";
import type { Site } from "../evaluate/site.ts";
import { layout } from "../run-layout.ts";
import type { StepConfig } from "../settings.ts";
import { NO_COST, StepFailed } from "../steps/step-failed.ts";
import { takeIdeas } from "./take-ideas.ts";

/** Collects a node's ideas from its folder or from the generator, and puts them aside in `node_ideas/<node>/`. */
export async function collectIdeas(site: Site, task: IdeasTask, given: Task): Promise<IdeasResult> {
  const { ideas: source } = site.settings.config;
  clearIdeas(site, task);
  if (source.kind === "folder") {
    const { ideas, refused } = takeIdeas(site, task, ideaFolder(source.path, task.node));
    return { kind: "ideas", ideas, refused, conversation: null, cost: NO_COST };
  }
  return generate(site, task, source.step, given);
}

/** Removes what an earlier attempt left; ideas of earlier calls stay. */
function clearIdeas({ runRoot }: Site, { node, taken }: IdeasTask): void {
  const folder = join(runRoot, layout.nodeIdeas(node.nodeId));
  const names = existsSync(folder) ? readdirSync(folder) : [];
  for (const name of names) {
    if (!taken.includes(name)) rmSync(join(folder, name), { recursive: true, force: true });
  }
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
  const { request, environment, ...brief } = writeBrief(join(runRoot, temp), task);
  const baseline = join(runRoot, temp, "baseline.csv");
  writeFileSync(baseline, readKept(runRoot, node.baseline));
  const worktree = layout.nodeWorktree(node.nodeId);
  const pipeline = new Pipeline(
    site,
    {
      owner,
      logs: layout.ideasLogs(node.nodeId),
      times: `${layout.ideasLogs(node.nodeId)}/steps.ndjson`,
      temp: `${temp}/tmp`,
      worktree,
      timeoutMs: settings.work.evalTimeoutMs,
    },
    given,
  );
  const { sweepConfigLimit } = settings.shape;
  const remembering = { ...step, environment: { ...step.environment, ...environment } };
  const stdout = await pipeline.run("ideas", remembering, {
    ...brief,
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
  const failed = (what: string) => pipeline.failed("StepFailed", `the idea generator ended well but ${what}`, "ideas");
  const heard = hear(site, task, { folder: ideas, stdout, conversationOut: brief.conversationOut });
  const taken = takeIdeas(site, task, ideas);
  const refused = [...taken.refused, ...heard.refused];
  if (taken.ideas.length === 0) {
    const [first] = refused;
    if (first !== undefined)
      throw failed(`wrote nothing usable (${JSON.stringify(first.name)}: ${first.reason}) to {ideas}`);
    if (heard.recovered !== null) throw failed(`wrote nothing readable to {conversationOut} (${heard.recovered})`);
    if (node.depth === 0) throw failed("wrote no *.md file to {ideas}");
    // Below the root it may have run out of ideas, which is an answer: others may still grow.
    refused.push({ name: `generator of node ${node.nodeId}`, reason: "it ended well and had no idea" });
  } else if (task.conversation.mode === "native" && heard.sessionId === null) {
    const why = heard.recovered === null ? "" : ` (${heard.recovered})`;
    throw failed(
      `wrote no session_id to {conversationOut}${why}: --idea-conversation-mode native needs one, auto does not`,
    );
  }
  await clearOwner(site, owner);
  const conversation = remember(site, task, heard, taken, request);
  return { kind: "ideas", ideas: taken.ideas, refused, conversation, cost: pipeline.cost };
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
