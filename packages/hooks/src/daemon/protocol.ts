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
export type ModuleHook = (input: Readonly<Record<string, unknown>>, context: ModuleContext) => unknown;

/** One call on its way to the thread that holds the module. */
export interface ModuleCall extends ModuleContext {
  readonly id: number;
  /** The event as the agent wrote it. */
  readonly input: string;
}

/** How the call ended, in the terms of a process. */
export interface ModuleReply {
  readonly id: number;
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** One line of JSON from a client. Every line carries the token: a connection is nothing to trust. */
export type DaemonRequest = { readonly id: number; readonly token: string } & (
  | ({
      readonly op: "module";
      readonly path: string;
      readonly input: string;
      readonly timeoutMs: number;
    } & ModuleContext)
  | {
      readonly op: "stage";
      readonly event: string;
      /** Of the event's input only what matchers look at. */
      readonly fields: Readonly<Record<string, unknown>>;
      readonly projectDir: string;
      readonly env: ModuleContext["env"];
    }
  | { readonly op: "ping" }
  | { readonly op: "stop" }
);

/** One line of JSON from the daemon. */
export type DaemonReply =
  | { readonly id: number; readonly kind: "replied"; readonly reply: Omit<ModuleReply, "id"> }
  | { readonly id: number; readonly kind: "timeout" }
  | { readonly id: number; readonly kind: "ended"; readonly reason: string }
  | { readonly id: number; readonly kind: "staged"; readonly staged: StagedEvent }
  | { readonly id: number; readonly kind: "pong"; readonly pid: number; readonly modules: number }
  | { readonly id: number; readonly kind: "refused"; readonly reason: string };

/** Splits a stream of text into lines; the last, unfinished one waits for its end. */
export function lineReader(onLine: (line: string) => void): (chunk: string) => void {
  let rest = "";
  return (chunk) => {
    const lines = (rest + chunk).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) if (line !== "") onLine(line);
  };
}
