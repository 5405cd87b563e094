import { createHash } from "node:crypto";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { UsageError } from "@coppice/engine/usage-error";
import { parseJson } from "../json-file.ts";

/** Reads a data folder's files and remembers what it read, for the digest and the warnings. */
export class DataSource {
  readonly root: string;
  readonly warnings: string[] = [];
  readonly #hash = createHash("sha256");

  constructor(root: string) {
    if (!isDirectory(root)) throw new UsageError(`data folder ${root} does not exist or is not a folder`);
    this.root = root;
  }

  /** The text of a file, or undefined when it does not exist. Reads must happen in a fixed order. */
  textIfPresent(path: string): string | undefined {
    let bytes: Buffer;
    try {
      bytes = readFileSync(join(this.root, path));
    } catch {
      return undefined;
    }
    this.#hash.update(`${path}\0${bytes.length}\0`).update(bytes);
    return bytes.toString("utf8");
  }

  text(path: string): string {
    const text = this.textIfPresent(path);
    if (text === undefined) throw new UsageError(`data folder ${this.root} has no ${path}`);
    return text;
  }

  json(path: string): unknown {
    return parseJson(join(this.root, path), this.text(path));
  }

  has(path: string): boolean {
    return statSync(join(this.root, path), { throwIfNoEntry: false }) !== undefined;
  }

  /** Names in a folder, sorted; empty when there is no such folder. */
  list(path: string): readonly string[] {
    const folder = join(this.root, path);
    return isDirectory(folder) ? readdirSync(folder).sort() : [];
  }

  warn(message: string): void {
    this.warnings.push(message);
  }

  digest(): string {
    return this.#hash.copy().digest("hex");
  }
}

function isDirectory(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}
