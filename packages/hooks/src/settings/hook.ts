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

/** Something wrong or odd in a settings file. An error costs the element it names, never the rest. */
export interface Problem {
  readonly file: string;
  /** Place in the file; the line is looked up only when someone wants to read it. */
  readonly path: string;
  readonly line: number | undefined;
  readonly severity: "error" | "warning";
  readonly message: string;
}

/** How events are run; everything here has a default. */
export interface HookOptions {
  readonly concurrency: number;
  /** After a block: later stages are not started (`stop`) or run all the same (`finish`). */
  readonly onBlock: "stop" | "finish";
  /** After a block: hooks of the same stage may finish (`drain`) or are ended (`end`). */
  readonly running: "drain" | "end";
  /** Serialise events of one session that write. */
  readonly lock: boolean;
  /** Staging undeclared hooks by what `trace` last saw of the very same files. */
  readonly observed: boolean;
  readonly sequentialAgents: "off" | "warn" | "block";
  readonly reminder: Reminder | undefined;
  readonly timing: boolean;
}

/** A text added to the context of the given events. */
export interface Reminder {
  readonly text: string;
  readonly events: readonly string[];
}

export const defaultOptions: HookOptions = {
  concurrency: 50,
  onBlock: "stop",
  running: "drain",
  lock: true,
  observed: false,
  sequentialAgents: "off",
  reminder: undefined,
  timing: true,
};
