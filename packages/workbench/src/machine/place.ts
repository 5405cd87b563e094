import { accessSync, constants, lstatSync, type Stats } from "node:fs";
import { tmpdir, userInfo } from "node:os";
import { dirname, join, resolve } from "node:path";
import { entriesIn, statIfThere } from "@coppice/engine/files";
import { strangerOwning } from "@coppice/engine/stranger";
import { bytesText, type Finding } from "./finding.ts";

/** A place that is written to. */
export interface Place {
  readonly name: string;
  readonly path: string;
  /** Without it nothing can be run. */
  readonly needed?: boolean;
  /** It is a file; usually it is a folder. */
  readonly isFile?: boolean;
  /** What it holds, and how to be rid of it. */
  readonly holds: string;
}

/** How much is there, whose it is, whether it can be written. */
export function placeFinding({ name, path, needed = false, isFile = false, holds }: Place): Finding {
  const full = resolve(path);
  const stat = statIfThere(full);
  const writable = canWrite(full);
  const stranger = stat === undefined ? undefined : strangerOwning(full, process.cwd());
  const size = stat === undefined ? undefined : sizeOf(full, tmpdir() === path ? 0 : MOST_ENTRIES);
  const facts = {
    path: full,
    exists: stat !== undefined,
    bytes: size?.bytes ?? null,
    whole: size?.whole ?? null,
    owner: stat?.uid ?? null,
    writable,
  };
  const there =
    stat === undefined
      ? "not there"
      : [...(size?.bytes === undefined ? [] : [sizeText(size)]), ownerText(stat)].join(", ");
  const whole = { name, needed, says: `${path}: ${there}${stat === undefined && !needed ? "" : `; ${holds}`}`, facts };
  if (stranger !== undefined) {
    return {
      ...whole,
      state: "broken",
      advice: `it belongs to user ${stranger}, neither you nor root: do not trust it`,
    };
  }
  if (stat !== undefined && stat.isFile() !== isFile) {
    const advice = `it is ${isFile ? "not a file" : "not a folder"}: move it away, or name another place`;
    return { ...whole, state: "broken", advice };
  }
  if (!writable) {
    return {
      ...whole,
      state: needed ? "broken" : "note",
      advice: "it cannot be written: change its owner or mode, or work elsewhere",
    };
  }
  return { ...whole, state: "good" };
}

/** Whether it can be written, or made where it is not there yet. Only asks. */
function canWrite(path: string): boolean {
  try {
    accessSync(path, constants.W_OK);
    return true;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return code === "ENOENT" && dirname(path) !== path && canWrite(dirname(path));
  }
}

/** More is counted by nobody who waits. */
const MOST_ENTRIES = 100_000;

interface Size {
  readonly bytes: number | undefined;
  /** False when counting stopped half-way. */
  readonly whole: boolean;
}

/** Bytes of a file, or of all files below a folder; links are not followed. */
function sizeOf(path: string, most: number): Size {
  if (most === 0) return { bytes: undefined, whole: false };
  let bytes = 0;
  let counted = 0;
  const folders: string[] = [];
  const count = (file: string) => {
    const stat = statIfThere(file, lstatSync);
    if (stat?.isDirectory() === true) folders.push(file);
    else bytes += stat?.size ?? 0;
    counted++;
  };
  count(path);
  for (let folder = folders.pop(); folder !== undefined && counted < most; folder = folders.pop()) {
    for (const { name } of entriesIn(folder)) count(join(folder, name));
  }
  return { bytes, whole: folders.length === 0 };
}

function sizeText({ bytes = 0, whole }: Size): string {
  return `${whole ? "" : "more than "}${bytesText(bytes)}`;
}

function ownerText({ uid }: Stats): string {
  if (process.getuid?.() === uid) return `of ${userName() ?? "you"}`;
  return uid === 0 ? "of root" : `of user ${uid}`;
}

function userName(): string | undefined {
  try {
    return userInfo().username;
  } catch {
    return undefined; // a container's user may have no name
  }
}
