import { chmodSync, existsSync, readdirSync, readFileSync, rmSync, statSync, utimesSync } from "node:fs";
import { homedir } from "node:os";
import { join, resolve } from "node:path";
import { makeDirectory, writeDurably } from "@coppice/engine/files";
import { UsageError } from "@coppice/engine/usage-error";
import { hashOf, isHash } from "../place/blobs.ts";

/** What bytes by reference may take on this machine's disk, unless its operator says otherwise. */
export const DEFAULT_CACHE_MB = 1024;

/** What it calls its files: a hash, and for code a name after it. Nothing else in its directory is its own. */
const OWN = /^[0-9a-f]{64}/;

/** Bytes that came by reference, kept by their hash between runs; the longest unused go first when it is too much. */
export class BlobCache {
  readonly #directory: string;
  readonly #limit: number;
  readonly #warn: (message: string) => void;

  constructor(directory: string, limitMb: number, warn: (message: string) => void) {
    this.#directory = directory;
    this.#limit = limitMb * 1024 * 1024;
    this.#warn = warn;
    try {
      const fresh = !existsSync(directory);
      makeDirectory(resolve(directory));
      const { uid, mode } = statSync(directory);
      if (process.getuid !== undefined && uid !== process.getuid()) throw new Error("it belongs to somebody else");
      // Whoever can write here can have code run.
      if (fresh || (mode & 0o022) !== 0) chmodSync(directory, 0o700);
      const probe = join(directory, `.probe-${process.pid}`);
      writeDurably(probe, "");
      rmSync(probe);
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      throw new UsageError(`the cache ${directory} cannot be used: ${why}; choose another with --cache-dir`);
    }
  }

  /** What is kept under that hash; undefined when it is not there, or not as it was. */
  find(name: string, hash: string): Buffer | undefined {
    // Told by whoever writes to Redis: it must not lead out of here.
    if (!isHash(hash)) return undefined;
    const path = this.#path(name, hash);
    try {
      const bytes = readFileSync(path);
      if (hashOf(bytes) !== hash) {
        rmSync(path, { force: true });
        return undefined;
      }
      const now = new Date();
      utimesSync(path, now, now);
      return bytes;
    } catch {
      return undefined;
    }
  }

  /** Keeps it, if the disk lets it: a full one costs another fetch next time. Returns where, if it is there. */
  keep(name: string, hash: string, bytes: Buffer): string | undefined {
    const path = this.#path(name, hash);
    if (this.find(name, hash) !== undefined) return path;
    if (bytes.length > this.#limit) return undefined;
    try {
      this.#makeRoom(bytes.length);
      writeDurably(path, bytes);
      return path;
    } catch (error) {
      this.#warn(`not kept in ${this.#directory}: ${error instanceof Error ? error.message : error}`);
      rmSync(path, { force: true });
      return undefined;
    }
  }

  #path(name: string, hash: string): string {
    return join(this.#directory, `${hash}${name}`);
  }

  #makeRoom(bytes: number): void {
    const files = readdirSync(this.#directory)
      .filter((file) => OWN.test(file))
      .map((file) => {
        const path = join(this.#directory, file);
        const stats = statSync(path, { throwIfNoEntry: false });
        return { path, size: stats?.size ?? 0, usedMs: stats?.mtimeMs ?? 0 };
      })
      .sort((a, b) => a.usedMs - b.usedMs);
    let total = files.reduce((sum, { size }) => sum + size, bytes);
    for (const { path, size } of files) {
      if (total <= this.#limit) return;
      rmSync(path, { force: true });
      total -= size;
    }
  }
}

/** Where a worker's cache is unless its operator says otherwise. */
export function usualCache(): string {
  return join(process.env.XDG_CACHE_HOME ?? join(homedir(), ".cache"), "coppice", "cluster");
}
