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
