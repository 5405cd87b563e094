import { parsedJson } from "@coppice/engine/values";

/** Openings that lead nowhere before a text is not taken for JSON. */
const MOST_IN_VAIN = 500;
/** Characters that are looked through for closing brackets: whoever answers with megabytes of opening ones does not hold us up. */
const MOST_LOOKED_THROUGH = 20_000_000;

/**
 * The JSON values in a model's text, in order: the whole text, what is in code fences, or objects between
 * words. Lines of JSON are one value each.
 */
export function jsonValuesIn(text: string): unknown[] {
  const whole = parsedJson(text);
  if (whole !== undefined) return [whole];
  const values: unknown[] = [];
  let vain = 0;
  let lookedThrough = 0;
  for (let at = nextOpening(text, 0); at < text.length; at = nextOpening(text, at)) {
    const end = closingOf(text, at);
    lookedThrough += (end ?? text.length) - at;
    const value = end === undefined ? undefined : parsedJson(text.slice(at, end));
    if (value === undefined || end === undefined) {
      if (++vain > MOST_IN_VAIN || lookedThrough > MOST_LOOKED_THROUGH) break;
      at++;
    } else {
      values.push(value);
      at = end;
    }
  }
  return values;
}

function nextOpening(text: string, from: number): number {
  for (let at = from; at < text.length; at++) if (text[at] === "{" || text[at] === "[") return at;
  return text.length;
}

/** Just past the bracket that closes the one at `start`; undefined when none does. Brackets in strings do not count. */
function closingOf(text: string, start: number): number | undefined {
  let depth = 0;
  let inString = false;
  for (let at = start; at < text.length; at++) {
    const character = text[at];
    if (inString) {
      if (character === "\\") at++;
      else if (character === '"') inString = false;
    } else if (character === '"') inString = true;
    else if (character === "{" || character === "[") depth++;
    else if (character === "}" || character === "]") {
      depth--;
      if (depth === 0) return at + 1;
    }
  }
  return undefined;
}
