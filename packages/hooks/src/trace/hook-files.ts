import { createHash } from "node:crypto";
import { readFileSync, statSync } from "node:fs";
import { dirname, isAbsolute, join } from "node:path";
import { splitWords } from "@coppice/engine/child-process";
import { agentIn } from "../agent/known-agents.ts";
import { fileVersion } from "../file-version.ts";
import type { Hook } from "../settings/hook.ts";

/** The files a hook's command names: scripts, configuration, modules. */
export function hookFiles(hook: Hook, projectDir: string, env: NodeJS.ProcessEnv): readonly string[] {
  const given = {
    ...env,
    [agentIn(env).projectVariable]: projectDir,
    ...(hook.pluginRoot ? { CLAUDE_PLUGIN_ROOT: hook.pluginRoot } : {}),
  };
  const words = hook.args
    ? [hook.command, ...hook.args]
    : (splitWords(hook.command, given) ?? hook.command.split(/[\s"';|&<>()]+/));
  const named = [...words, ...(hook.module === undefined ? [] : [hook.module])];
  const files = named.filter((word) => word !== "").map((word) => (isAbsolute(word) ? word : join(projectDir, word)));
  return [...new Set(files.filter((file) => statSync(file, { throwIfNoEntry: false })?.isFile() === true))];
}

/** The directories a hook's own scripts lie in; the project itself is never one. */
export function codeDirectories(files: readonly string[], projectDir: string): readonly string[] {
  return [...new Set(files.map((file) => dirname(file)))].filter((directory) => directory !== projectDir);
}

/** Programs are named, too; reading them whole on every event would take longer than the hooks. */
const LARGEST_READ_BYTES = 1024 * 1024;

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
