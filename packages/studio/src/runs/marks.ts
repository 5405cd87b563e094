import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { writeDurably } from "@coppice/engine/files";
import { UsageError } from "@coppice/engine/usage-error";
import type { Marks } from "../wire.ts";

const NAME = "studio.json";
const MOST_TAGS = 20;
const MOST_TAG_LENGTH = 40;
const MOST_NOTE_LENGTH = 4000;
const NONE: Marks = { tags: [], note: "" };

/** Tags and notes of the runs in a folder, in a file beside the runs: what a run wrote itself is never touched. */
export class MarksFile {
  readonly #path: string;

  constructor(runs: string) {
    this.#path = join(runs, NAME);
  }

  /** The marks of every run that has some; none while the file is not as it is written here. */
  read(): ReadonlyMap<string, Marks> {
    try {
      return this.#all();
    } catch {
      return new Map();
    }
  }

  /** Replaces the marks of one run; returns them as they are kept. */
  write(id: string, given: unknown): Marks {
    const marks = checked(given);
    const all = this.#kept();
    if (marks.tags.length === 0 && marks.note === "") all.delete(id);
    else all.set(id, marks);
    writeDurably(this.#path, `${JSON.stringify(Object.fromEntries(all), null, 2)}\n`);
    return marks;
  }

  /** Refused where somebody else's words would be lost. */
  #kept(): Map<string, Marks> {
    try {
      return this.#all();
    } catch {
      throw new UsageError(`${this.#path} is not as the studio writes it: correct it, or move it away`);
    }
  }

  #all(): Map<string, Marks> {
    if (!existsSync(this.#path)) return new Map();
    const all = JSON.parse(readFileSync(this.#path, "utf8")) as Record<string, unknown>;
    return new Map(Object.entries(all).map(([id, marks]) => [id, checked(marks)]));
  }
}

function checked(given: unknown): Marks {
  if (typeof given !== "object" || given === null) return NONE;
  const { tags = [], note = "" } = given as Record<string, unknown>;
  if (!Array.isArray(tags) || tags.some((tag) => typeof tag !== "string") || typeof note !== "string") {
    throw new UsageError("tags are a list of texts, and a note is a text");
  }
  const kept = [...new Set((tags as string[]).map((tag) => tag.trim()).filter((tag) => tag !== ""))];
  if (kept.length > MOST_TAGS || kept.some((tag) => tag.length > MOST_TAG_LENGTH) || note.length > MOST_NOTE_LENGTH) {
    throw new UsageError(
      `at most ${MOST_TAGS} tags of ${MOST_TAG_LENGTH} characters, and a note of ${MOST_NOTE_LENGTH}`,
    );
  }
  return { tags: kept, note };
}

/** What a run without marks has. */
export const noMarks = NONE;
