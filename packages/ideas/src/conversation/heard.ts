import { mkdirSync, readdirSync, renameSync } from "node:fs";
import { join } from "node:path";
import type { IdeasTask, ReportedConversation, TreeId } from "../contract.ts";
import { readKept } from "../evaluate/kept-file.ts";
import type { Site } from "../evaluate/site.ts";
import { isIdeaName } from "../generate/idea-file.ts";
import type { TakenIdeas } from "../generate/take-ideas.ts";
import { layout } from "../run-layout.ts";
import { freeCorruptName } from "./corrupt-name.ts";
import { type ReportedEntry, readReport } from "./reported-entries.ts";
import { reportedTurns, type SpokenTurn } from "./spoken-turns.ts";
import { type CallTurns, turnsOfCall } from "./turns-of-call.ts";

/** What a generator's call left: what it wrote down, or else what it printed. */
export interface Heard extends CallTurns, Pick<ReportedConversation, "sessionId" | "recovered"> {}

export interface CallOutput {
  /** `{ideas}`. */
  readonly folder: string;
  readonly stdout: string;
  readonly conversationOut: string;
}

/** Reads what a call said, and writes the ideas that are in its replies to its folder. */
export function hear(site: Site, task: IdeasTask, { folder, stdout, conversationOut }: CallOutput): Heard {
  const report = readReport(conversationOut);
  if (report.kind === "broken") putAside(site.runRoot, task.node.nodeId, conversationOut);
  const recovered = report.kind === "broken" ? report.reason : null;
  const [sessionId, entries] = report.kind === "said" ? [report.sessionId, report.entries] : [null, []];
  const names = readdirSync(folder).filter(isIdeaName);
  // A command that writes nothing and prints ideas is a generator too.
  const printed: readonly ReportedEntry[] = names.length === 0 && entries.length === 0 ? [{ reply: stdout }] : [];
  const { turns, refused } = turnsOfCall(folder, [...entries, ...printed], [...task.taken, ...names]);
  const spoken = printed.length === 0 ? turns : turns.filter(({ ideaName }) => ideaName !== null);
  return { sessionId, recovered, turns: spoken, refused };
}

/** The call as it is remembered: every turn it told of, and one for each idea it did not. */
export function remember(
  { runRoot }: Site,
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
