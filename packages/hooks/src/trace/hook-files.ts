import { createHash } from "node:crypto";
import { existsSync, readFileSync, statSync } from "node:fs";
import { dirname, isAbsolute, join } from "node:path";
import { splitWords } from "@coppice/engine/child-process";
import { fileVersion, LARGEST_READ_BYTES } from "../file-version.ts";
import { hookEnvironment } from "../run/carry-process.ts";
import type { Hook } from "../settings/hook.ts";

/**
 * The hook's own code among the files that its command names, there or not; others are data, which hooks may read and
 * write.
 */
export function hookFiles(hook: Hook, projectDir: string, env: NodeJS.ProcessEnv): readonly string[] {
  const given = hookEnvironment(hook, { cwd: projectDir, projectDir, env });
  const words = hook.args
    ? [hook.command, ...hook.args]
    : (splitWords(hook.command, given) ?? hook.command.split(/[\s"';|&<>()]+/));
  const named = words.filter((word) => word !== "");
  const at = (word: string) => (isAbsolute(word) ? word : join(projectDir, word));
  const code = named
    .filter(
      (word, i) =>
        (i === 0 && word.includes("/")) ||
        isCode(at(word)) ||
        (isInterpreted(named, i) && isLikelyScript(named, i, at(word))),
    )
    .map(at);
  const files = hook.module === undefined ? code : [...code, at(hook.module)];
  return [...new Set(files.filter((file) => statSync(file, { throwIfNoEntry: false })?.isFile() !== false))];
}

const INTERPRETER = /^(?:.*\/)?(?:(?:ba|da|z|k|fi)?sh|python[\d.]*|node|bun|deno|tsx|ruby|perl|php)$/;

const SHELL = /^(?:.*\/)?(?:ba|da|z|k|fi)?sh$/;

/** Whether a word is the script that the interpreter before it is to run; after `-c` and its like comes a text. */
export function isInterpreted(words: readonly string[], index: number): boolean {
  // What stands after `-o` is the name of a shell's option (`bash -euo pipefail x.sh`).
  const isFlag = (i: number): boolean => words[i].startsWith("-") || (i > 1 && /^-\w*o$/.test(words[i - 1]));
  const start = words.slice(0, index).findLastIndex((_, i) => !isFlag(i));
  if (start < 0 || isFlag(index) || !INTERPRETER.test(words[start])) return false;
  const text = SHELL.test(words[start]) ? /^-\w*c$/ : /^-\w*[cem]$/;
  return !words.slice(start + 1, index).some((flag) => text.test(flag));
}

/** Whether a word that an interpreter could run is a script, and not a command of its own (`bun run`) or an option's value. */
function isLikelyScript(words: readonly string[], index: number, file: string): boolean {
  const word = words[index];
  return existsSync(file) || hasCodeName(word) || (word.includes("/") && !words[index - 1].startsWith("-"));
}

/** Whether a file is a program's text: by its name, or because it can be started. */
export function isCode(file: string): boolean {
  if (hasCodeName(file)) return true;
  const stat = statSync(file, { throwIfNoEntry: false });
  return stat?.isFile() === true && (stat.mode & 0o111) !== 0;
}

function hasCodeName(file: string): boolean {
  return /\.(?:sh|bash|zsh|py|[cm]?js|[cm]?ts|jsx|tsx|rb|pl|php|lua|wasm|so|jar)$/.test(file);
}

/** The directories a hook's own scripts lie in; the project itself is never one. */
export function codeDirectories(files: readonly string[], projectDir: string): readonly string[] {
  return [...new Set(files.map((file) => dirname(file)))].filter((directory) => directory !== projectDir);
}

/** Changes when the command or the content of any of the files does (of large files: their size or time). */
export function fingerprint(hook: Hook, files: readonly string[]): string {
  const hash = createHash("sha256").update(JSON.stringify([hook.command, hook.args ?? null, hook.module ?? null]));
  for (const file of [...files].sort()) hash.update(`\0${file}\0`).update(contentOf(file));
  return hash.digest("hex");
}

/** Changes whenever the fingerprint does, and perhaps more often; nothing is read for it. */
export function versionOf(hook: Hook, files: readonly string[]): string {
  const changed = files.map((file) => {
    const stat = statSync(file, { throwIfNoEntry: false });
    return stat === undefined ? "missing" : `${stat.ctimeMs} ${stat.mtimeMs} ${stat.size} ${stat.ino}`;
  });
  return JSON.stringify([hook.command, hook.args ?? null, hook.module ?? null, changed]);
}

function contentOf(file: string): string | Uint8Array {
  try {
    return statSync(file).size > LARGEST_READ_BYTES ? fileVersion(file) : readFileSync(file);
  } catch {
    return "missing";
  }
}
