export interface SummaryLimits {
  readonly maxLines: number;
  readonly maxWords: number;
}

export interface Shortened {
  readonly text: string;
  readonly cut: boolean;
}

export const CUT_MARK = "[… cut]";

/** A summary within its limits, the mark included; what is too long is cut between words and marked. */
export function shorten(text: string, { maxLines, maxWords }: SummaryLimits): Shortened {
  const lines = text.trim().split(/\r?\n/);
  const words = wordsIn(text);
  if (lines.length <= maxLines && words <= maxWords) return { text: lines.join("\n"), cut: false };
  // The mark takes two words and a place on the last line.
  const room = Math.max(0, maxWords - wordsIn(CUT_MARK));
  const kept: string[] = [];
  let left = room;
  for (const line of lines.slice(0, maxLines)) {
    const inLine = line.split(/(?<=\s)(?=\S)/);
    const fitting = wordsIn(line) <= left ? line : inLine.slice(0, left).join("").trimEnd();
    kept.push(fitting);
    left -= wordsIn(fitting);
    if (fitting !== line || left === 0) break;
  }
  const last = kept.pop() ?? "";
  return { text: [...kept, `${last} ${CUT_MARK}`.trim()].join("\n"), cut: true };
}

export function wordsIn(text: string): number {
  return text.match(/\S+/g)?.length ?? 0;
}
