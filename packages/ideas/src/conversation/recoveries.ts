import { existsSync, readdirSync, readFileSync, renameSync, statSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { layout } from "../run-layout.ts";
import { freeCorruptName, isCorruptName } from "./corrupt-name.ts";

/** A conversation's file that could not be read and was put aside. */
export interface Recovery {
  /** When that was found, in milliseconds since the epoch. */
  readonly at: number;
  readonly conversationId: string;
  /** Where it is now. */
  readonly path: string;
}

/** Puts a conversation's file aside if it is not one: cut off, edited by hand, another's. */
export function recover(runRoot: string, conversationId: string): void {
  const path = join(runRoot, layout.conversation(conversationId));
  if (!existsSync(path) || isConversation(path, conversationId)) return;
  const aside = freeCorruptName(path);
  renameSync(path, aside);
  const now = new Date();
  // Its time is when it was found, which is what reports tell.
  utimesSync(aside, now, now);
}

/** Every one so far: the files themselves are the record. */
export function recoveriesOf(runRoot: string): Recovery[] {
  const folder = join(runRoot, layout.conversations);
  const names = existsSync(folder) ? readdirSync(folder).filter(isCorruptName).sort() : [];
  return names.map((name) => recoveryOf(runRoot, name));
}

function recoveryOf(runRoot: string, name: string): Recovery {
  const path = `${layout.conversations}/${name}`;
  const at = Math.floor(statSync(join(runRoot, path)).mtimeMs);
  return { at, conversationId: name.slice(0, name.indexOf(".")), path };
}

function isConversation(path: string, conversationId: string): boolean {
  try {
    const found = JSON.parse(readFileSync(path, "utf8")) as { readonly conversation_id?: unknown } | null;
    return found?.conversation_id === conversationId;
  } catch {
    return false;
  }
}
