import { existsSync, mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Task } from "@coppice/engine/evaluator";
import { setUpNode } from "../belongings/furnish.ts";
import { clearOwner } from "../belongings/make-belongings.ts";
import type { IdeasResult, IdeasTask, TreeNode } from "../contract.ts";
import { writeBrief } from "../conversation/brief.ts";
import { hear, remember } from "../conversation/heard.ts";
import { readKept } from "../evaluate/kept-file.ts";
import { measuredOf } from "../evaluate/measure.ts";
import type { OpenRun } from "../evaluate/open-run.ts";
import { openPlace, Pipeline, type PipelinePlace } from "../evaluate/pipeline.ts";
import { layout } from "../run-layout.ts";
import type { StepConfig } from "../settings.ts";
import { NO_COST, StepFailed } from "../steps/reported-cost.ts";
import { takeIdeas } from "./idea-file.ts";

/** Collects a node's ideas from its folder or from the generator, and puts them aside in `node_ideas/<node>/`. */
export async function collectIdeas(run: OpenRun, task: IdeasTask, given: Task): Promise<IdeasResult> {
  const { ideas: source } = run.settings.config;
  clearIdeas(run, task);
  if (source.kind === "folder") {
    const { ideas, refused } = takeIdeas(run, task, ideaFolder(source.path, task.node));
    return { kind: "ideas", ideas, refused, conversation: null, cost: NO_COST };
  }
  try {
    await setUpNode(run, task.node, given);
  } catch (error) {
    if (!(error instanceof StepFailed) || task.node.depth === 0) throw error;
    // An idea that was promoted cannot be set up: nothing grows from it, and others may still grow.
    const refused = [{ name: `set-up of node ${task.node.nodeId}`, reason: error.message }];
    return { kind: "ideas", ideas: [], refused, conversation: null, cost: error.data.cost };
  }
  return generate(run, task, source.step, given);
}

/** Removes what an earlier attempt left; ideas of earlier calls stay. */
function clearIdeas({ runRoot }: OpenRun, { node, taken }: IdeasTask): void {
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

async function generate(run: OpenRun, task: IdeasTask, step: StepConfig, given: Task): Promise<IdeasResult> {
  const { node, count } = task;
  const owner = `i${node.nodeId}`;
  await clearOwner(run, owner);
  const { runRoot } = run;
  const folder = `${layout.nodeIdeas(node.nodeId)}.tmp`;
  const logs = layout.ideasLogs(node.nodeId);
  const place: PipelinePlace = {
    owner,
    logs,
    times: `${logs}/steps.ndjson`,
    temp: `${folder}/tmp`,
    worktree: layout.nodeWorktree(node.nodeId),
    timeoutMs: run.settings.work.evalTimeoutMs,
  };
  const values = openPlace(run, { ...place, temp: folder }, { ...node, output: `${folder}/output` });
  const ideas = join(runRoot, folder, "ideas");
  mkdirSync(ideas, { recursive: true });
  const context = writeContext(run, task);
  const { request, environment, ...brief } = writeBrief(join(runRoot, folder), task);
  const baseline = join(runRoot, folder, "baseline.csv");
  writeFileSync(baseline, readKept(runRoot, node.baseline));
  const pipeline = new Pipeline(run, place, given);
  const remembering = { ...step, environment: { ...step.environment, ...environment } };
  const told = { ...brief, ...values, baseline, ideas, count: String(count), context };
  const stdout = await pipeline.run("ideas", remembering, told);
  const failed = (what: string) => pipeline.failed("StepFailed", `the idea generator ended well but ${what}`, "ideas");
  const heard = hear(run, task, {
    folder: ideas,
    stdout,
    conversationOut: brief.conversationOut,
    session: pipeline.sessionOf("ideas"),
  });
  const taken = takeIdeas(run, task, ideas, { ownFilesOnly: true });
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
  await clearOwner(run, owner);
  const conversation = remember(run, task, heard, taken, request);
  return { kind: "ideas", ideas: taken.ideas, refused, conversation, cost: pipeline.cost };
}

/** What a generator may know, as a JSON file: this node's metrics and the branch's history. */
function writeContext(run: OpenRun, { node, count, context }: IdeasTask): string {
  const path = join(run.runRoot, layout.nodeContext(node.nodeId));
  const { metrics, rows } = measuredOf(run, node.baseline);
  mkdirSync(join(run.runRoot, layout.nodeIdeas(node.nodeId)), { recursive: true });
  // Paths in it are relative to the run's folder.
  const { runRoot } = run;
  writeFileSync(path, `${JSON.stringify({ runRoot, node, count, metrics, rows, ...context }, null, 2)}\n`);
  return path;
}
