import { basename, join, resolve } from "node:path";
import { RunView, summaryLine } from "@coppice/engine/display";
import { findRun, RunFollower, readRunFile, runIds, summarizeRun } from "@coppice/engine/records";
import { UsageError } from "@coppice/engine/usage-error";
import { z } from "zod";
import { awaitRun, resumeHint, runningAnswer } from "../await-run.ts";
import { runUri } from "../resources.ts";
import type { EndedCommand } from "../run-desk.ts";
import { small } from "../small.ts";
import { type Answer, type Call, tool } from "../tool.ts";
import { waiting } from "./consult.ts";
import { refuseCommands } from "./search.ts";

const reads = { readOnlyHint: true, openWorldHint: false } as const;
const run = z.string().min(1).describe("id of a run");

/** A run of the server's own directory of runs, by its id alone: a path could name any file's module. */
function directoryOf(id: string, { desk }: Call): string {
  if (basename(id) !== id) throw new UsageError(`run ${JSON.stringify(id)}: name it by its id`);
  const directory = findRun(id, desk.runs);
  if (resolve(directory) !== resolve(desk.runs, id)) throw new UsageError(`there is no run ${id} in ${desk.runs}`);
  return directory;
}

export const runs = tool({
  name: "runs",
  description: "List the latest runs: id, tool, state, digest.",
  annotations: { title: "List runs", ...reads },
  input: z.strictObject({ limit: z.int().min(1).max(200).default(20) }),
  call: async ({ limit }, { desk }) => {
    const ids = runIds(desk.runs);
    const latest = ids.slice(-limit).reverse();
    return { total: ids.length, runs: latest.map((id) => summarizeRun(join(desk.runs, id), id)) };
  },
});

export const show = tool({
  name: "show",
  description: "Show a run: its state, how far it is, its answer. Can wait for one that is under way.",
  annotations: { title: "Show a run", ...reads },
  input: z.strictObject({ run, wait_seconds: waiting.wait_seconds.default(0) }),
  call: async ({ run: id, wait_seconds }, call) => {
    const live = await call.desk.live(id);
    if (live !== undefined) return awaitRun(live, wait_seconds, false, call);
    const directory = directoryOf(id, call);
    const { id: _, ...summary } = summarizeRun(directory, id);
    const known = { run: id, ...summary, progress: progressOf(directory) };
    if (summary.state === "running") return { ...runningAnswer(id, known.progress), ...known };
    if (summary.state !== "done") return { ...known, next: resumeHint(id) };
    const answer = small(call.answers.of(id, directory));
    return { ...known, answer: answer.value, ...(answer.whole ? {} : { more: runUri(id, "answer") }) };
  },
});

function progressOf(directory: string): string {
  const view = new RunView({ keys: false });
  let last = 0;
  new RunFollower(directory).catchUp((event) => {
    last = event.at;
    view.see(event);
  });
  return summaryLine(view.at(last));
}

/** Tools whose runs start nothing that a file of the project names. */
const OWN_TOOLS: readonly string[] = ["ask", "council", "digest", "swarm", "flow-plan"];

export const resume = tool({
  name: "resume",
  description: "Go on with a run that was stopped, interrupted or cut off; what is in its journal is not done again.",
  annotations: { title: "Resume a run", readOnlyHint: false, destructiveHint: false, openWorldHint: true },
  input: z.strictObject({ run, ...waiting }),
  call: async ({ run: id, wait_seconds }, call) => {
    const live = await call.desk.live(id);
    if (live !== undefined) return awaitRun(live, wait_seconds, false, call);
    const directory = directoryOf(id, call);
    const { tool: made } = readRunFile(directory);
    if (!OWN_TOOLS.includes(made)) refuseCommands(call, `a run of "${made}"`);
    return awaitRun(call.desk.resume(id, directory), wait_seconds, true, call);
  },
});

export const stop = tool({
  name: "stop",
  description: "Stop a run that this server started. Nothing that was finished is lost: it can be resumed.",
  annotations: { title: "Stop a run", readOnlyHint: false, destructiveHint: false, openWorldHint: false },
  input: z.strictObject({ run }),
  call: async ({ run: id }, call) => {
    const live = await call.desk.live(id);
    if (live !== undefined) {
      live.stop();
      return awaitRun(live, 60, false, call);
    }
    const { state } = summarizeRun(directoryOf(id, call), id);
    const whose =
      state === "running" ? "is worked on by another process, which has to stop it" : `is not running: ${state}`;
    throw new UsageError(`run ${id} ${whose}`);
  },
});

export const treeStatus = tool({
  name: "tree_status",
  description: "Say how far an idea tree has grown, what was promoted, and what it cost; also while it grows.",
  annotations: { title: "Status of an idea tree", ...reads },
  input: z.strictObject({ run }),
  call: async ({ run: id }, call) => {
    directoryOf(id, call);
    return printed(id, await call.desk.answer({ words: ["tree", "status"], operands: [id] }, call.signal));
  },
});

export const treeApply = tool({
  name: "tree_apply",
  description:
    "Show what a promoted node of an idea tree changes; with write, put the change into the working tree and the index (nothing is committed).",
  annotations: {
    title: "Apply a node of an idea tree",
    readOnlyHint: false,
    destructiveHint: true,
    openWorldHint: false,
  },
  input: z.strictObject({
    run,
    node: z.string().optional().describe("by default the best one"),
    write: z.boolean().default(false),
  }),
  call: async ({ run: id, node, write }, call) => {
    directoryOf(id, call);
    if (write && !call.permissions.apply) {
      throw new UsageError('tree_apply with write changes the working tree: start "coppice mcp" with --allow-apply');
    }
    const options = [...(node === undefined ? [] : [`--node=${node}`]), ...(write ? ["--yes"] : [])];
    return printed(id, await call.desk.answer({ words: ["tree", "apply"], options, operands: [id] }, call.signal));
  },
});

/** What a command that only reads has printed. */
function printed(id: string, { document, lastLine }: EndedCommand): Answer {
  if (typeof document !== "object" || document === null) throw new UsageError(lastLine || `run ${id}: no answer`);
  const { value, whole } = small(document);
  const part = typeof value === "object" && value !== null ? value : { answer: value };
  return { run: id, ...part, ...(whole ? {} : { more: runUri(id, "manifest.json") }) };
}
