import { hash } from "node:crypto";
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { makeDirectory, writeDurably } from "@coppice/engine/files";
import type { KeptFile } from "../contract.ts";

/** A file that the run has put aside is missing or is not what it was. */
class ArtifactChanged extends Error {
  override readonly name = "ArtifactChanged";
}

/** Puts bytes aside for good: written whole or not at all, and read-only from then on. */
export function keepBytes(runRoot: string, path: string, bytes: Uint8Array): KeptFile {
  const target = join(runRoot, path);
  makeDirectory(dirname(target));
  writeDurably(target, bytes, 0o444);
  return { path, sha256: hash("sha256", bytes, "hex") };
}

/** The bytes of a file that was put aside, if they are still the same. */
export function readKept(runRoot: string, { path, sha256 }: KeptFile): Buffer {
  let bytes: Buffer;
  try {
    bytes = readFileSync(join(runRoot, path));
  } catch {
    throw new ArtifactChanged(`${path} is gone: the run needs it as it was`);
  }
  if (hash("sha256", bytes, "hex") === sha256) return bytes;
  throw new ArtifactChanged(`${path} has changed since the run wrote it: restore it, or start a new run`);
}

/** What is wrong with files that were put aside, in one line each. */
export function changedArtifacts(runRoot: string, files: readonly KeptFile[]): string[] {
  return files.flatMap((file) => {
    try {
      readKept(runRoot, file);
      return [];
    } catch (error) {
      return [error instanceof Error ? error.message : String(error)];
    }
  });
}
