import { text } from "node:stream/consumers";
import { digestSuggestion } from "@coppice/hooks/suggest-digest";

/** Answers one event of an agent: with a suggestion as context, or with nothing. Never fails: it only suggests. */
export async function suggestDigest(input: NodeJS.ReadableStream): Promise<void> {
  let event: unknown;
  try {
    event = JSON.parse(await text(input));
  } catch {
    return;
  }
  if (typeof event !== "object" || event === null) return;
  const fields = event as Readonly<Record<string, unknown>>;
  const suggestion = digestSuggestion(fields);
  if (suggestion === undefined) return;
  const hookEventName = typeof fields.hook_event_name === "string" ? fields.hook_event_name : "PreToolUse";
  process.stdout.write(`${JSON.stringify({ hookSpecificOutput: { hookEventName, additionalContext: suggestion } })}\n`);
}
