import { closeSync, fstatSync, openSync, readSync } from "node:fs";
import { UsageError } from "../usage-error.ts";
import { type JournalEntry, parseBody } from "./entry.ts";
import { unseal } from "./line.ts";

/** A complete line that is not what was written. Damage is diagnosed, never guessed at. */
export class JournalDamaged extends Error {
  override readonly name = "JournalDamaged";
  readonly line: number;
  constructor(path: string, line: number, offset: number, why: string) {
    super(`${path} line ${line} (byte ${offset}) ${why}: the journal is damaged`);
    this.line = line;
  }
}

/** How far a file of lines has been read. */
export interface LinesRead {
  readonly lines: number;
  /** Bytes up to and including the last newline. */
  readonly goodBytes: number;
  /** Bytes after the last newline: a write that a crash cut short. */
  readonly tornBytes: number;
}

const BLOCK_BYTES = 1 << 20;
const NEWLINE = 0x0a;

/**
 * Visits every complete line in order, or those that came after an earlier reading; throws {@link JournalDamaged} at the
 * first one that is not as written. An end that a power cut left with a hole in it is torn: nothing from there on was synced.
 */
export function readJournal(
  path: string,
  visit: (entry: JournalEntry, offset: number) => void,
  earlier?: LinesRead,
): LinesRead {
  let hole: Hole | undefined;
  const read = readLines(path, earlier, (line, number, offset) => {
    const opened = unseal(line);
    if (!opened.ok) {
      const damage = hole?.damage ?? new JournalDamaged(path, number, offset, opened.why);
      if (!hasHole(line, offset)) throw damage;
      hole ??= { damage, lines: number - 1, offset, firstAt: undefined };
      return;
    }
    let entry: JournalEntry;
    try {
      entry = parseBody(opened.body);
    } catch {
      throw new JournalDamaged(path, number, offset, "is not JSON although its checksum fits");
    }
    if (hole === undefined) {
      visit(entry, offset);
      return;
    }
    hole.firstAt ??= entry.at;
    if (entry.at - hole.firstAt > LONGEST_UNSYNCED_MS) throw hole.damage;
  });
  if (hole === undefined) return read;
  const { lines, offset } = hole;
  return { lines, goodBytes: offset, tornBytes: read.goodBytes + read.tornBytes - offset };
}

/** Zeros where lines were written: blocks reach the disk in any order, and the power went before these did. */
interface Hole {
  readonly damage: JournalDamaged;
  readonly lines: number;
  readonly offset: number;
  /** When the first line after it was written. */
  firstAt: number | undefined;
}

/** What is written is synced 50 ms later, and a disk may be slow: a hole with more than this behind it is damage. */
const LONGEST_UNSYNCED_MS = 10_000;
/** The least that a disk writes at once. */
const SECTOR_BYTES = 512;

/** Whether a sector of a line is missing: it ends in a zero, which JSON never writes. A flipped bit hardly ever looks so. */
function hasHole(line: Buffer, offset: number): boolean {
  for (let at = SECTOR_BYTES - 1 - (offset % SECTOR_BYTES); at < line.length; at += SECTOR_BYTES) {
    if (line[at] === 0) return true;
  }
  return false;
}

type VisitLine = (line: Buffer, number: number, offset: number) => void;

/** Visits the complete lines of a file that only grows, or those that came after an earlier reading. */
export function readLines(path: string, earlier: LinesRead | undefined, visit: VisitLine): LinesRead {
  const fd = openSync(path, "r");
  try {
    if (fstatSync(fd).isDirectory()) throw new UsageError(`${path} is a directory, not a file of lines`);
    return linesOf(fd, earlier, visit);
  } finally {
    closeSync(fd);
  }
}

/** Reads in blocks, so that a file longer than the longest string is no problem. */
function linesOf(fd: number, earlier: LinesRead | undefined, visit: VisitLine): LinesRead {
  const total = fstatSync(fd).size;
  let carried: Buffer = Buffer.alloc(0);
  let lineStart = earlier?.goodBytes ?? 0;
  let lines = earlier?.lines ?? 0;
  for (let position = lineStart; position < total; ) {
    const block = Buffer.allocUnsafe(Math.min(BLOCK_BYTES, total - position));
    const read = readSync(fd, block, 0, block.length, position);
    if (read === 0) break;
    position += read;
    const data = carried.length === 0 ? block.subarray(0, read) : Buffer.concat([carried, block.subarray(0, read)]);
    let at = 0;
    for (let end = data.indexOf(NEWLINE, at); end >= 0; end = data.indexOf(NEWLINE, at)) {
      lines++;
      visit(data.subarray(at, end), lines, lineStart);
      lineStart += end + 1 - at;
      at = end + 1;
    }
    carried = data.subarray(at);
  }
  return { lines, goodBytes: lineStart, tornBytes: carried.length };
}

/** The one entry whose line starts at `offset`. */
export function readEntryAt(fd: number, offset: number): JournalEntry {
  let block = Buffer.allocUnsafe(4096);
  let have = 0;
  for (;;) {
    const read = readSync(fd, block, have, block.length - have, offset + have);
    have += read;
    const end = block.subarray(0, have).indexOf(NEWLINE);
    if (end >= 0 || read === 0) {
      const opened = unseal(block.subarray(0, end >= 0 ? end : have));
      if (!opened.ok) throw new Error(`journal byte ${offset}: the line ${opened.why}`);
      return parseBody(opened.body);
    }
    block = Buffer.concat([block, Buffer.allocUnsafe(block.length)]);
  }
}
