import type { ConversationTurn } from "../contract.ts";
import { clip } from "./clip.ts";
import { turnLine } from "./turn-line.ts";

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
