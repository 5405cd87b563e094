import type { TracedContent } from "../trace/traced-content.ts";

/** Where a list of hooks comes from; the order here is the order of the merged list. */
export type Scope = "user" | "project" | "local" | "plugin" | "managed";

/** What a hook touches. Resources are files, globs, `git:index`, `session:<key>`, `net:<host>` or `*`. */
export interface Touches {
  readonly reads: readonly string[];
  readonly writes: readonly string[];
}

/** One hook of one event, as configured. */
export interface Hook {
  /** Unique among the hooks of its event; from the script's file name unless given. */
  readonly name: string;
  readonly event: string;
  readonly matcher: string;
  readonly command: string;
  /** With arguments given separately the command is a program, never a shell line. */
  readonly args: readonly string[] | undefined;
  /** A JavaScript or TypeScript file whose default export is called instead of starting `command`. */
  readonly module: string | undefined;
  readonly timeoutMs: number;
  /** Undefined: nothing was declared, so the hook runs alone. */
  readonly touches: Touches | undefined;
  /** What `touches` was traced of; undefined where somebody declared it. */
  readonly traced: TracedContent | undefined;
  /** Names of hooks that must have ended first. */
  readonly after: readonly string[];
  /** Receives the input as rewritten by the hooks it is `after`, and its own rewriting replaces theirs. */
  readonly chain: boolean;
  /** Started, not waited for; its output goes to a log. */
  readonly background: boolean;
  /** What a failure or timeout of the hook itself means. */
  readonly onFailure: "pass" | "block";
  readonly scope: Scope;
  readonly file: string;
  /** Place in the file, as `hooks.PreToolUse[0].hooks[1]`. */
  readonly path: string;
  readonly pluginRoot: string | undefined;
}

/** Identical commands are the same hook: only the first of them runs (H-02). */
export function hookIdentity(hook: Hook): string {
  return JSON.stringify([hook.command, hook.args ?? null, hook.module ?? null, hook.pluginRoot ?? null]);
}

/** Whether a hook may change something: it declares writes, or declares nothing. */
export function isWriter(hook: Hook): boolean {
  return hook.touches === undefined || hook.touches.writes.length > 0;
}
