import { createHash } from "node:crypto";
import { accessSync, constants, mkdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { writeDurably } from "@coppice/engine/files";
import { UsageError } from "@coppice/engine/usage-error";
import type { DigestSetup } from "./digest-search.ts";
import type { SourceFile } from "./source-file.ts";

interface CachedSummary {
  /** The path under which it was written: its citations name it. */
  readonly path: string;
  readonly summary: string;
}

/** Raised when prompts change, so that old summaries are not mistaken for new ones. */
const FORMAT = 1;

/**
 * Summaries of earlier digests, one small file each, by what they depend on: the file's content, the question, the model
 * and the limits. Not by its path: a file that was moved or copied is not paid for again.
 */
export class SummaryCache {
  readonly #folder: string;
  readonly #setup: DigestSetup;

  constructor(folder: string, setup: DigestSetup) {
    this.#folder = folder;
    this.#setup = setup;
  }

  /** The summary for a file of this content, its citations moved to `path`. A damaged entry is as good as none. */
  get(hash: string, path: string): string | undefined {
    const place = this.#place(hash);
    try {
      const entry = JSON.parse(readFileSync(place, "utf8")) as Partial<CachedSummary>;
      if (typeof entry.summary !== "string" || typeof entry.path !== "string") return undefined;
      return entry.summary.replaceAll(`${entry.path}:`, `${path}:`);
    } catch (error) {
      if (error instanceof SyntaxError) rmSync(place, { force: true });
      return undefined;
    }
  }

  /** Summaries of the files that have one, by path. */
  known(sources: readonly SourceFile[]): Readonly<Record<string, string>> {
    // By entries: a file may be called anything.
    return Object.fromEntries(
      sources.flatMap((source) => {
        const summary = source.state === "read" ? this.get(source.hash, source.path) : undefined;
        return summary === undefined ? [] : [[source.path, summary]];
      }),
    );
  }

  /** Refuses a folder that nothing can be written to, before anything is paid for. */
  check(): void {
    try {
      mkdirSync(this.#folder, { recursive: true, mode: 0o700 });
      accessSync(this.#folder, constants.W_OK);
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      throw new UsageError(`--summaries ${this.#folder}: nothing can be written there (${code})`);
    }
  }

  put(hash: string, path: string, summary: string): void {
    mkdirSync(this.#folder, { recursive: true, mode: 0o700 });
    writeDurably(this.#place(hash), JSON.stringify({ path, summary } satisfies CachedSummary), 0o600);
  }

  #place(hash: string): string {
    const { question, model, limits, window, tuning } = this.#setup;
    const key = JSON.stringify([FORMAT, hash, question, model, limits.maxLines, limits.maxWords, window, tuning]);
    return join(this.#folder, `${createHash("sha256").update(key).digest("hex").slice(0, 32)}.json`);
  }
}
