import { closeSync, fstatSync, openSync, readSync } from "node:fs";
import { type JournalEntry, parseBody } from "./entry.ts";
import { unseal } from "./line.ts";

/** How much of a journal's end is looked through for a whole line: first a little, as most lines are short. */
const TAIL_BYTES = [1 << 12, 1 << 18, 1 << 24];
const NEWLINE = 0x0a;

/** The last whole line of a journal, or of its first so many bytes; undefined when none is near the end. */
export function lastEntry(journal: string, bytes = Number.POSITIVE_INFINITY): JournalEntry | undefined {
  const fd = openSync(journal, "r");
  try {
    const size = Math.min(fstatSync(fd).size, bytes);
    for (const most of TAIL_BYTES) {
      const start = Math.max(0, size - most);
      const tail = Buffer.alloc(size - start);
      readSync(fd, tail, 0, tail.length, start);
      for (let end = tail.lastIndexOf(NEWLINE); end > 0; ) {
        const before = tail.lastIndexOf(NEWLINE, end - 1);
        const opened = unseal(tail.subarray(before + 1, end));
        if (opened.ok) return parseBody(opened.body);
        end = before;
      }
      if (start === 0) return undefined;
    }
    return undefined;
  } finally {
    closeSync(fd);
  }
}
