import { readFileSync, statSync } from "node:fs";
import { join, relative } from "node:path";
import { LARGEST_READ_BYTES } from "../file-version.ts";
import { fieldsOf } from "../json-fields.ts";
import type { Hook } from "../settings/hook.ts";

/**
 * Which content of a hook a declaration was traced of. It stands beside the declaration and is the same on every machine
 * that has the project, so that whoever gets a changed hook from somebody else does not run it by what it was.
 */
export interface TracedContent {
  readonly command: string;
  /** By path in the project. */
  readonly files: Readonly<Record<string, string>>;
}

/** Whether a value is what a trace wrote. */
export function isTracedContent(value: unknown): value is TracedContent {
  const fields = fieldsOf(value);
  const files = fieldsOf(fields?.files);
  return (
    typeof fields?.command === "string" &&
    files !== undefined &&
    Object.values(files).every((m) => typeof m === "string")
  );
}

/** A hook's content as it is now; packages are left out, which every machine installs for itself. */
export function contentOf(hook: Hook, files: readonly string[], projectDir: string): TracedContent {
  const inside = files.filter((file) => isShared(file, projectDir)).map((file) => relative(projectDir, file));
  const marks = inside.sort().map((path) => [path, fileMark(join(projectDir, path))]);
  return { command: commandMark(hook), files: Object.fromEntries(marks) };
}

/** Whether a hook still has the content that was traced; only what comes with the project is looked at. */
export function hasContent(hook: Hook, { command, files }: TracedContent, projectDir: string): boolean {
  return (
    command === commandMark(hook) &&
    Object.entries(files).every(([path, mark]) => mark === fileMark(join(projectDir, path)))
  );
}

/** Whether a file comes with the project. */
export function isShared(file: string, projectDir: string): boolean {
  return file.startsWith(`${projectDir}/`) && !file.includes("/node_modules/");
}

function commandMark({ command, args, module }: Hook): string {
  return markOf(Buffer.from(JSON.stringify([command, args ?? null, module ?? null])));
}

function fileMark(file: string): string {
  try {
    const { size } = statSync(file);
    return size > LARGEST_READ_BYTES ? `${size} bytes` : markOf(readFileSync(file));
  } catch {
    return "missing";
  }
}

const CARRIAGE_RETURN = 13;

/** FNV-1a: a real hash would load OpenSSL on every event. Line ends may differ from one checkout to the next. */
function markOf(bytes: Uint8Array): string {
  let hash = 0x811c9dc5;
  for (let i = 0; i < bytes.length; i++)
    if (bytes[i] !== CARRIAGE_RETURN) hash = Math.imul(hash ^ bytes[i], 0x01000193);
  return (hash >>> 0).toString(16).padStart(8, "0");
}
