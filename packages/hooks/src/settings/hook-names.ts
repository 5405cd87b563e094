import type { Entry } from "./hook-entries.ts";

/** A hook's entry with the name it is known by among the hooks of its event. */
export interface NamedEntry extends Entry {
  readonly name: string;
  /** The same for all hooks that look alike at first sight: its given name, its script's file name, its program. */
  readonly plainName: string;
  /** Equal for entries that start the very same thing. */
  readonly starts: string;
}

/**
 * Names the entries of one event: each by its plain name if no different command has the same, otherwise by its script
 * with the folder (`a/run`), or with a mark of its command (`sh#5d1f0c`). A name never depends on the order of the list.
 */
export function nameEntries(entries: readonly Entry[]): readonly NamedEntry[] {
  const plain = entries.map((entry): NamedEntry => {
    const name = plainNameOf(entry);
    const { command, fields, from } = entry;
    const starts = JSON.stringify([command, fields.args ?? null, fields.module ?? null, from.pluginRoot ?? null]);
    return { ...entry, name, plainName: name, starts };
  });
  const withFolder = rename(plain, (entry) => {
    const script = scriptOf(entry)?.replace(/^\.\//, "");
    return script?.match(/[^/]+\/[^/]+$/)?.[0].replace(/\.\w+$/, "") ?? script;
  });
  return rename(withFolder, ({ name, starts }) => `${name}#${markOf(starts)}`);
}

/** Gives another name to every entry whose name stands for different commands, if it has one. */
function rename(
  entries: readonly NamedEntry[],
  otherName: (entry: NamedEntry) => string | undefined,
): readonly NamedEntry[] {
  const startedBy = Map.groupBy(entries, ({ name }) => name);
  return entries.map((entry) => {
    const namesakes = startedBy.get(entry.name) ?? [];
    const unique = namesakes.every(({ starts }) => starts === entry.starts);
    return unique ? entry : { ...entry, name: otherName(entry) ?? entry.name };
  });
}

function plainNameOf(entry: Entry): string {
  const { name } = entry.fields;
  if (typeof name === "string" && name !== "") return name;
  const base = (scriptOf(entry) ?? entry.command.trim().split(/\s+/)[0] ?? "").replace(/^.*\//, "");
  return base.replace(/["'{}$]/g, "").replace(/\.\w+$/, "") || "hook";
}

/** The script a command starts, if it looks like one. */
function scriptOf({ command, fields }: Entry): string | undefined {
  const given = Array.isArray(fields.args) ? fields.args.find((word) => /\.\w+$/.test(String(word))) : undefined;
  if (given !== undefined) return String(given).replaceAll(" ", "-");
  // Where output goes, or input comes from, is not a script.
  const words = command
    .replace(/\d?[<>]+&?\s*[^\s;|&<>]+/g, " ")
    .split(/[\s"'=;|&()]+/)
    .filter((word) => word !== "" && !/^\$?\{?\w*\}?$/.test(word));
  return words.find((word) => /\/[^/]+$|\.(?:sh|bash|py|js|mjs|cjs|ts|mts|rb|pl)$/.test(word));
}

/** FNV-1a, 24 bits of it: six letters that tell a few commands apart; a real hash would load OpenSSL on every event. */
function markOf(text: string): string {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193) >>> 0;
  return (hash >>> 8).toString(16).padStart(6, "0");
}
