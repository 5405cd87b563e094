import { basename } from "node:path";
import { pathToFileURL } from "node:url";
import type { DiskNeeds } from "@coppice/engine/pools";
import { findEvaluator, missingOnDisk } from "@coppice/engine/worker";
import type { RunDescription } from "../protocol.ts";
import { type Allowed, Refusal } from "./allow.ts";

/** How a worker comes by bytes that are needed: `bundle`, or what has that hash. */
export interface Fetching {
  readonly bundle: () => Promise<{ readonly hash: string; readonly bytes: Buffer }>;
  /** Keeps code on this disk and says where. */
  readonly keepCode: (name: string, hash: string, bytes: Buffer) => string;
}

/**
 * URL of the evaluator a run wants, in exactly its version: installed here, or sent over; with what it reads of the
 * coordinator's disk on this one. Throws a {@link Refusal}.
 */
export async function findCode(
  { evaluatorName: name, evaluatorUrl, disk }: RunDescription,
  allowed: Allowed,
  bases: readonly string[],
  fetching: Fetching,
): Promise<string> {
  if (name === undefined) {
    if (!allowed.any) throw new Refusal("its evaluator has no name but a file on the coordinator's machine");
    checkDisk(disk);
    return evaluatorUrl;
  }
  const place = [name.package, name.path].filter((part) => part !== undefined).join("/");
  const reasons: string[] = [];
  for (const base of bases) {
    if (!allowed.installed(name, base)) {
      reasons.push(`${place} is not among what it is allowed to run (--allow)`);
      continue;
    }
    try {
      const url = findEvaluator(name, base);
      // Whoever only computes is told nothing of this disk, and so nobody can ask what is on it.
      if (!allowed.named(name)) return url;
      checkDisk(disk);
      return url + new URL(evaluatorUrl).search;
    } catch (error) {
      if (error instanceof Refusal) throw error;
      reasons.push(error instanceof Error ? error.message : String(error));
    }
  }
  if (isOurs(name.package)) throw new Refusal(reasons[0]);
  const { hash, bytes } = await fetching.bundle();
  if (!allowed.bundle(hash))
    throw new Refusal(`${reasons[0]}, nor is the bundle sent in its place (--allow sha256:${hash.slice(0, 16)})`);
  checkDisk(disk);
  return pathToFileURL(fetching.keepCode(`-${basename(name.path)}.mjs`, hash, bytes)).href;
}

/** Whether code at this path is a bundle that was sent, kept by its hash. */
export function isSentCode(path: string): boolean {
  return /^[0-9a-f]{64}-.*\.mjs$/.test(basename(path));
}

/** Refuses where a path means something else than it does to the coordinator. */
function checkDisk(disk: DiskNeeds | undefined): void {
  const missing = disk === undefined ? undefined : missingOnDisk(disk);
  if (missing !== undefined)
    throw new Refusal(`${missing}, which its evaluations read: use a disk that all machines share`);
}

/** A tool's own evaluator comes with the tool: a different version is a reason to update, not to run what was sent. */
function isOurs(home: string | undefined): boolean {
  return home !== undefined && (home === "coppice" || home.startsWith("@coppice/"));
}
