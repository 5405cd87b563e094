import { hash } from "node:crypto";
import { mkdirSync, readdirSync, renameSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import type { IdeasTask, ReportedConversation, ReportedTurn, TreeId } from "../contract.ts";
import { readKept } from "../evaluate/kept-file.ts";
import type { OpenRun } from "../evaluate/open-run.ts";
import { freeName, ideaFileName, isIdeaName, type TakenIdeas } from "../generate/idea-file.ts";
import { ideasInReply } from "../generate/idea-reply.ts";
import { layout } from "../run-layout.ts";
import { mergeTurns } from "./conversation.ts";
import { freeCorruptName } from "./conversation-files.ts";
import { clip } from "./history.ts";
import { type ReportedEntry, readReport } from "./report.ts";

/** What a generator's call left: what it wrote down, or else what it printed. */
export interface Heard extends CallTurns, Pick<ReportedConversation, "sessionId" | "recovered"> {}

export interface CallOutput {
  /** `{ideas}`. */
  readonly folder: string;
  readonly stdout: string;
  readonly conversationOut: string;
  /** The session that was found in what it printed. */
  readonly session?: string | undefined;
}

/** Reads what a call said, and writes the ideas that are in its replies to its folder. */
export function hear(run: OpenRun, task: IdeasTask, { folder, stdout, conversationOut, session }: CallOutput): Heard {
  const report = readReport(conversationOut);
  if (report.kind === "broken") putAside(run.runRoot, task.node.nodeId, conversationOut);
  const recovered = report.kind === "broken" ? report.reason : null;
  const [sessionId, entries] = report.kind === "said" ? [report.sessionId, report.entries] : [null, []];
  const names = readdirSync(folder).filter(isIdeaName);
  // A command that writes nothing and prints ideas is a generator too.
  const printed: readonly ReportedEntry[] = names.length === 0 && entries.length === 0 ? [{ reply: stdout }] : [];
  const { turns, refused } = turnsOfCall(folder, [...entries, ...printed], [...task.taken, ...names]);
  const spoken = printed.length === 0 ? turns : turns.filter(({ ideaName }) => ideaName !== null);
  return { sessionId: sessionId ?? session ?? null, recovered, turns: spoken, refused };
}

/** The call as it is remembered: every turn it told of, and one for each idea it did not. */
export function remember(
  { runRoot }: OpenRun,
  { conversation }: IdeasTask,
  { turns, sessionId, recovered }: Heard,
  { bySource }: TakenIdeas,
  request: string,
): ReportedConversation {
  const told = new Set(turns.map(({ ideaName }) => ideaName));
  const spoken: SpokenTurn[] = turns.map(({ prompt = request, reply, ideaName }) => {
    const idea = ideaName === null ? undefined : bySource.get(ideaName);
    return { prompt, reply, ideaPath: idea?.path ?? null };
  });
  for (const [source, idea] of bySource) {
    if (told.has(source)) continue;
    spoken.push({ prompt: request, reply: readKept(runRoot, idea).toString("utf8"), ideaPath: idea.path });
  }
  return { sessionId, turns: reportedTurns(conversation.conversationId, spoken), recovered };
}

/** Keeps what could not be read, for whoever wants to know why. */
function putAside(runRoot: string, nodeId: TreeId, path: string): void {
  const folder = layout.ideasLogs(nodeId);
  mkdirSync(join(runRoot, folder), { recursive: true });
  renameSync(path, freeCorruptName(join(runRoot, folder, "conversation.json")));
}

/** A turn that may have an idea file in the folder. */
interface NamedTurn {
  readonly prompt: string | undefined;
  readonly reply: string;
  readonly ideaName: string | null;
}

interface CallTurns {
  readonly turns: readonly NamedTurn[];
  /** Replies that looked like ideas but cannot be used. */
  readonly refused: readonly { readonly name: string; readonly reason: string }[];
}

/**
 * The turns of what was said. A reply that holds ideas, and names no file, has each of them written to the folder as
 * `NNN_<slug>.md`, numbered on from `taken`; nothing is ever written over.
 */
function turnsOfCall(folder: string, entries: readonly ReportedEntry[], taken: readonly string[]): CallTurns {
  const names = [...taken];
  const turns: NamedTurn[] = [];
  const refused: { name: string; reason: string }[] = [];
  for (const [index, { prompt, reply = "", idea }] of entries.entries()) {
    if (idea !== undefined) {
      turns.push({ prompt, reply, ideaName: basename(idea) });
      continue;
    }
    const found = ideasInReply(reply);
    if (found.every(({ usable }) => !usable)) turns.push({ prompt, reply, ideaName: null });
    for (const each of found) {
      if (!each.usable) {
        refused.push({ name: `reply ${index + 1}`, reason: each.reason });
        continue;
      }
      const ideaName = freeName(ideaFileName(names.length + 1, each.title), names);
      writeFileSync(join(folder, ideaName), each.text, { flag: "wx" });
      names.push(ideaName);
      turns.push({ prompt, reply: each.text, ideaName });
    }
  }
  return { turns, refused };
}

/** A turn of a generator's call, before it is clipped and named. */
export interface SpokenTurn {
  readonly prompt: string;
  readonly reply: string;
  readonly ideaPath: string | null;
}

/** What a turn's prompt and its reply may take each, and what all of a call may: more does not belong in a journal. */
const TEXT_CHARS = 32 * 1024;
const CALL_CHARS = 1024 * 1024;

/** The turns of one call as they are remembered. When a call says too much, the texts of its oldest turns are left out. */
export function reportedTurns(conversationId: string, spoken: readonly SpokenTurn[]): readonly ReportedTurn[] {
  const turns: ReportedTurn[] = [];
  let left = CALL_CHARS;
  for (const [index, { prompt, reply, ideaPath }] of [...spoken.entries()].reverse()) {
    const shortReply = clip(reply, Math.min(TEXT_CHARS, left));
    left -= shortReply.text.length;
    const shortPrompt = clip(prompt, Math.min(TEXT_CHARS, left));
    left -= shortPrompt.text.length;
    const promptHash = hash("sha256", prompt, "hex");
    turns.push({
      operationId: operationId(promptHash, ideaPath ?? `${conversationId}/${index}`),
      promptHash,
      prompt: shortPrompt.text,
      reply: shortReply.text,
      ideaPath,
      clippedChars: shortPrompt.leftOut + shortReply.leftOut,
    });
  }
  return mergeTurns([], turns.reverse());
}

/** Names what was done, not when: the same question with the same output is the same operation. */
export function operationId(promptHash: string, outputPath: string): string {
  return hash("sha256", `${promptHash}|${outputPath}`, "hex");
}
