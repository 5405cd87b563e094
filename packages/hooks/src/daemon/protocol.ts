import type { Fields } from "../json-fields.ts";
import type { Merged } from "../merge/merge-answers.ts";
import type { StagedEvent } from "../staging/stage-event.ts";

/** What a module hook is called with, besides the event. */
export interface ModuleContext {
  readonly cwd: string;
  readonly projectDir: string;
  /** The caller's environment; `process.env` of a warm hook is the daemon's. */
  readonly env: Readonly<Record<string, string | undefined>>;
}

/**
 * A hook that is a JavaScript or TypeScript module: its default export. Return an object for the agent, a text for
 * the context, or nothing; throw to fail, with `exitCode: 2` on the error to block.
 */
export type ModuleHook = (input: Fields, context: ModuleContext) => unknown;

/** One call of a module hook. */
export interface ModuleCall extends ModuleContext {
  /** The event as the agent wrote it. */
  readonly input: string;
}

/** What a module hook said, in the terms of a process. */
export interface ModuleReply {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** How a call ended. */
export type ModuleResult =
  | { readonly kind: "replied"; readonly reply: ModuleReply }
  | { readonly kind: "timeout" }
  | { readonly kind: "ended"; readonly reason: string };

/** What becomes of a call when the daemon ends in the middle of it. */
export const GONE: ModuleResult = {
  kind: "replied",
  reply: { code: 1, stdout: "", stderr: "the daemon ended while it ran this hook" },
};

/** A whole event, as the process that the agent started for it was given it. */
export interface EventQuestion {
  readonly event: string;
  /** The event as the agent wrote it. */
  readonly input: string;
  readonly cwd: string;
  readonly env: ModuleContext["env"];
  readonly project?: string | undefined;
  readonly concurrency?: number | undefined;
  readonly serial: boolean;
}

/** What a client may ask for. */
export type DaemonQuestion =
  | ({ readonly op: "module"; readonly path: string; readonly timeoutMs: number } & ModuleCall)
  | ({ readonly op: "event" } & EventQuestion)
  | { readonly op: "ping" | "stop" };

/** One line of JSON from a client. Every line carries the token: a connection is nothing to trust. */
export type DaemonRequest = DaemonQuestion & { readonly id: number; readonly token: string };

/** What the daemon may say. */
export type DaemonAnswer =
  | ModuleResult
  /** All hooks of the event are modules: they run, and within that time there is an answer. */
  | { readonly kind: "begun"; readonly limitMs: number }
  | { readonly kind: "answered"; readonly merged: Merged }
  /** Some hooks are processes, which are the caller's to start. */
  | { readonly kind: "staged"; readonly staged: StagedEvent }
  | { readonly kind: "pong"; readonly pid: number; readonly modules: number }
  | { readonly kind: "refused"; readonly reason: string };

/** One line of JSON from the daemon. */
export type DaemonReply = DaemonAnswer & { readonly id: number };

/** Splits a stream of text into lines; the last, unfinished one waits for its end. */
export function lineReader(onLine: (line: string) => void): (chunk: string) => void {
  let rest = "";
  return (chunk) => {
    const lines = (rest + chunk).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) if (line !== "") onLine(line);
  };
}
