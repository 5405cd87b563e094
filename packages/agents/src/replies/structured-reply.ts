/** A JSON object of a reply. */
export type StructuredReply = Readonly<Record<string, unknown>>;

/**
 * The first JSON object in a reply, wherever it stands: alone, in a fenced block, or with prose around it. Undefined when
 * there is none that can be read.
 */
export function structuredReply(text: string): StructuredReply | undefined {
  for (let start = text.indexOf("{"); start !== -1; start = text.indexOf("{", start + 1)) {
    const end = closingBrace(text, start);
    const value = end === undefined ? undefined : parsed(text.slice(start, end + 1));
    if (value !== undefined) return value;
  }
  return undefined;
}

/** Where the object that opens at `start` closes; braces in JSON texts do not count. */
function closingBrace(text: string, start: number): number | undefined {
  let depth = 0;
  let inText = false;
  for (let at = start; at < text.length; at++) {
    const letter = text[at];
    if (inText) {
      if (letter === "\\") at++;
      else if (letter === '"') inText = false;
    } else if (letter === '"') inText = true;
    else if (letter === "{") depth++;
    else if (letter === "}" && --depth === 0) return at;
  }
  return undefined;
}

function parsed(text: string): StructuredReply | undefined {
  try {
    return JSON.parse(text) as StructuredReply;
  } catch {
    return undefined;
  }
}
