import { readFileSync } from "node:fs";
import { type Fields, parseFields } from "../json-fields.ts";

/** A line of a session's transcript that matters to a habit: a person's prompt, or (a part of) a message of the agent. */
export type TranscriptLine =
  | { readonly kind: "prompt" }
  | {
      readonly kind: "message";
      readonly id: string | undefined;
      /** The message says how it stopped, so nothing more can be added to it. */
      readonly stopped: boolean;
      readonly toolCalls: readonly Fields[];
    };

/** The lines of a transcript in order; what cannot be read is left out, as are side conversations. */
export function readTranscript(path: unknown): readonly TranscriptLine[] {
  if (typeof path !== "string") return [];
  return textOf(path)
    .split("\n")
    .flatMap((text): readonly TranscriptLine[] => {
      const line = parseFields(text);
      if (line === undefined || line.isSidechain === true) return [];
      const message = line.message as Fields | undefined;
      const blocks: readonly Fields[] = Array.isArray(message?.content) ? message.content : [];
      if (line.type === "assistant") {
        const id = typeof message?.id === "string" ? message.id : undefined;
        const toolCalls = blocks.filter((block) => block?.type === "tool_use");
        return [{ kind: "message", id, stopped: typeof message?.stop_reason === "string", toolCalls }];
      }
      // The results of tools are also written down as the user's.
      const said = typeof message?.content === "string" || Array.isArray(message?.content);
      const prompt = line.type === "user" && said && !blocks.some((block) => block?.type === "tool_result");
      return prompt ? [{ kind: "prompt" }] : [];
    });
}

/** A file's text; empty when it cannot be read. */
export function textOf(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}
