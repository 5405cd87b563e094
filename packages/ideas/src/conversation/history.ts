import type { ConversationTurn, ReportedTurn } from "../contract.ts";
import { fileName } from "../report/in-order.ts";

export interface HistoryLimits {
  /** -1 for all, 0 for none. */
  readonly windowTurns: number;
  /** Of prompts, replies and summary together; -1 for no limit, 0 for none. */
  readonly maxChars: number;
}

export interface History {
  readonly summary: string;
  /** Oldest first. */
  readonly turns: readonly ConversationTurn[];
}

/** A summary takes at most this much, and at most a fifth of what there is room for. */
const SUMMARY_CHARS = 4000;
const SUMMARY_SHARE = 0.2;

/**
 * What a generator is reminded of: a line for every turn, and the last turns in full. Where there is not enough room
 * the newest are kept; a last turn that is too long by itself is clipped.
 */
export function historyOf(turns: readonly ConversationTurn[], { windowTurns, maxChars }: HistoryLimits): History {
  if (windowTurns === 0 || maxChars === 0 || turns.length === 0) return { summary: "", turns: [] };
  const room = maxChars === -1 ? Number.POSITIVE_INFINITY : maxChars;
  const summary = summaryOf(turns, Math.min(SUMMARY_CHARS, Math.floor(room * SUMMARY_SHARE)));
  const last = windowTurns === -1 ? turns : turns.slice(-windowTurns);
  return { summary, turns: newestWithin(last, room - summary.length) };
}

function newestWithin(turns: readonly ConversationTurn[], room: number): ConversationTurn[] {
  const kept: ConversationTurn[] = [];
  let left = room;
  for (const turn of turns.toReversed()) {
    const size = turn.prompt.length + turn.reply.length;
    if (size > left) {
      if (kept.length === 0 && left > 0) kept.push(clippedTurn(turn, left));
      break;
    }
    kept.push(turn);
    left -= size;
  }
  return kept.reverse();
}

/** The reply first: it is what the turn came to. */
function clippedTurn(turn: ConversationTurn, room: number): ConversationTurn {
  const reply = clip(turn.reply, room);
  const prompt = clip(turn.prompt, room - reply.text.length);
  const clippedChars = turn.clippedChars + reply.leftOut + prompt.leftOut;
  return { ...turn, prompt: prompt.text, reply: reply.text, clippedChars };
}

/** A line for each turn, oldest first; of a list that is too long the newest lines, after a line that counts the others. */
export function summaryOf(turns: readonly ConversationTurn[], mostChars: number): string {
  const lines: string[] = [];
  let left = mostChars - COUNT_CHARS;
  for (const turn of turns.toReversed()) {
    const line = `- ${turn.turnId} ${turnLine(turn)}`;
    left -= line.length + 1;
    if (left < 0) break;
    lines.push(line);
  }
  const missing = turns.length - lines.length;
  if (lines.length === 0) return "";
  return [...(missing === 0 ? [] : [`- (${missing} earlier turns)`]), ...lines.reverse()].join("\n");
}

/** Room for the line that counts what is left out. */
const COUNT_CHARS = 40;

/** The beginning of a text, with a mark where it was cut; never half of a character that takes two units. */
export function clip(text: string, mostChars: number): { readonly text: string; readonly leftOut: number } {
  if (text.length <= mostChars) return { text, leftOut: 0 };
  const splits = mostChars > 0 && isHighSurrogate(text.charCodeAt(mostChars - 1));
  const kept = text.slice(0, splits ? mostChars - 1 : mostChars);
  return { text: kept, leftOut: text.length - kept.length };
}

function isHighSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff;
}

const TITLE_CHARS = 120;

/** A turn in one line: the file of its idea, and what it is about. */
function turnLine({ ideaPath, reply, prompt }: ReportedTurn): string {
  const title = firstWords(reply) || firstWords(prompt);
  return ideaPath === null ? title : `${fileName(ideaPath)}: ${title}`;
}

/** The first line that says something, without markup and headings such as `IDEA:`. */
function firstWords(text: string): string {
  // A title is near the beginning: a text of a megabyte in one line is not looked through.
  for (const line of text.slice(0, 4000).split("\n")) {
    const words = line
      .replace(/[#*>`]+|^\s*-\s/g, " ")
      .replace(/^\s*idea\s*:\s*/i, "")
      .replace(/\s+/g, " ")
      .trim();
    if (words !== "") return clip(words, TITLE_CHARS).text;
  }
  return "";
}
