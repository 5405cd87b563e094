import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { ForgetfulDisk, type Remains } from "./disk.ts";
import { type TracedCommand, type TracedEnd, trace } from "./strace.ts";

export type { DiskOperation, Survival } from "./disk.ts";
export { ForgetfulDisk } from "./disk.ts";
export { cannotTrace } from "./strace.ts";
export { type AfterTheCut, type CutChoice, type CutReport, type Ended, tryCuts } from "./try-cuts.ts";

/** A program's whole life below one folder, as the disk saw it: the power can be cut after any of its operations. */
export interface WriteRecording extends Pick<TracedEnd, "code" | "stdout" | "stderr" | "operations"> {
  readonly root: string;
  readonly before: Remains;
}

/** Runs a program (see {@link cannotTrace}) and records what it asks of the disk below `root`, data and all. */
export async function recordWrites(root: string, program: TracedCommand): Promise<WriteRecording> {
  const before = readAll(root);
  return { root, before, ...(await trace(root, program)) };
}

/** The disk after the first `count` operations of a recording. */
export function diskAt({ root, before, operations }: WriteRecording, count: number): ForgetfulDisk {
  const disk = new ForgetfulDisk(root, before);
  for (const operation of operations.slice(0, count)) disk.apply(operation);
  return disk;
}

/** Puts what a power cut left into a folder, in place of whatever is there. */
export function restore(root: string, remains: Remains): void {
  for (const name of existsSync(root) ? readdirSync(root) : [])
    rmSync(join(root, name), { recursive: true, force: true });
  for (const [path, what] of remains) {
    const place = join(root, path);
    mkdirSync(what === "folder" ? place : dirname(place), { recursive: true });
    if (Buffer.isBuffer(what)) writeFileSync(place, what);
    else if (what !== "folder") symlinkSync(what.linkTo, place);
  }
}

function readAll(root: string): Remains {
  const found = new Map<string, Buffer | "folder" | { readonly linkTo: string }>();
  const walk = (path: string) => {
    for (const entry of readdirSync(join(root, path), { withFileTypes: true })) {
      const place = join(path, entry.name);
      if (entry.isDirectory()) {
        found.set(place, "folder");
        walk(place);
      } else if (entry.isSymbolicLink()) found.set(place, { linkTo: readlinkSync(join(root, place)) });
      else if (entry.isFile()) found.set(place, readFileSync(join(root, place)));
    }
  };
  walk("");
  return found;
}
