/** As much as is kept of one text that an evaluator made up, in characters: enough to read, too little to fill a disk. */
export const LONGEST_TEXT = 64 * 1024;
/** Of a line that is kept with a failure, of a cause, of a name. */
export const LONGEST_LINE = 4 * 1024;

/** The beginning of a text, and how much was cut off; the same wherever it is cut, because a digest may contain it. */
export function cutText(text: string, most: number = LONGEST_TEXT): string {
  if (text.length <= most) return text;
  const end = wholeCharacters(text, most);
  return `${text.slice(0, end)}… ${bytesIn(text) - bytesIn(text.slice(0, end))} bytes cut`;
}

/** Beginning and end of a text, where both matter: a stack begins with its message and ends with its places. */
export function cutMiddle(text: string, most: number = LONGEST_TEXT): string {
  if (text.length <= most) return text;
  const end = wholeCharacters(text, most >> 1);
  const start = wholeCharacters(text, text.length - (most >> 1));
  const [head, tail] = [text.slice(0, end), text.slice(start)];
  return `${head}… ${bytesIn(text) - bytesIn(head) - bytesIn(tail)} bytes cut …${tail}`;
}

function bytesIn(text: string): number {
  return Buffer.byteLength(text);
}

/** Not between the two halves of one character. */
function wholeCharacters(text: string, at: number): number {
  const code = text.charCodeAt(at - 1);
  return code >= 0xd800 && code < 0xdc00 ? at - 1 : at;
}
