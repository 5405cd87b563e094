export type Fields = Readonly<Record<string, unknown>>;

/** One line of a session's transcript; undefined when it cannot be read. */
export function parseLine(line: string): Fields | undefined {
  if (line.trim() === "") return undefined;
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === "object" && value !== null ? (value as Fields) : undefined;
  } catch {
    return undefined;
  }
}

/** A prompt of a person, as opposed to the results of tools, which are also written down as the user's. */
export function isPrompt(message: Fields | undefined): boolean {
  const content = message?.content;
  if (typeof content === "string") return true;
  return Array.isArray(content) && !content.some((block: Fields) => block?.type === "tool_result");
}
