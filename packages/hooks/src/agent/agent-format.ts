/**
 * What one coding agent publishes about its hooks: where settings are, which events there are and what their matchers are
 * compared with, how hooks answer. All of an agent that differs from others stands in one file of this folder.
 */
export interface AgentFormat {
  readonly name: string;
  /** The variable in which the agent tells its hooks where the project is; it also tells us which agent it is. */
  readonly projectVariable: string;
  /** The folder with settings, in the project and at home. */
  readonly folder: string;
  /** Scopes of settings files, in the order in which their hooks run. */
  readonly scopes: readonly ("user" | "project" | "local")[];
  /** The administrator's settings: a directory, and the file in it. */
  readonly managed: { readonly directory: (platform: NodeJS.Platform) => string; readonly file: string };
  /** The list of installed plugins, below the folder at home; undefined where plugins bring no hooks that we could read. */
  readonly plugins: string | undefined;
  /** The field of an event's input that matchers are compared with; other events match every group. */
  readonly subjects: Readonly<Record<string, string>>;
  readonly withoutSubject: readonly string[];
  /** What matchers are often written for, as it is spelled: upper and lower case count. */
  readonly usualSubjects: readonly string[];
  /** Events whose hooks are asked before something happens: a guard that is missing there lets it happen. */
  readonly holdingBack: readonly string[];
  /** Events whose plain standard output becomes context. */
  readonly textIsContext: readonly string[];
  /** Milliseconds in one unit of a hook's `timeout`. */
  readonly timeoutUnitMs: number;
  /** What a hook may take when its entry does not say. */
  readonly defaultTimeoutMs: (event: string) => number;
  /** The words of `decision` with which a hook holds something back. */
  readonly blockWords: readonly string[];
}

/** The exit code with which a hook holds something back: the same for every agent that publishes its format so far. */
export const BLOCK_CODE = 2;
