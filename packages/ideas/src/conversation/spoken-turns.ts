import { hash } from "node:crypto";
import type { ReportedTurn } from "../contract.ts";
import { clip } from "./clip.ts";
import { mergeTurns } from "./conversation.ts";

/** A turn of a generator's call, before it is clipped and named. */
export interface SpokenTurn {
  readonly prompt: string;
  readonly reply: string;
  readonly ideaPath: string | null;
}

/** What a turn's prompt and its reply may take each, and what all of a call may: a journal is no place for more. */
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
