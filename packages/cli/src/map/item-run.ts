/** What became of one item. */
export interface ItemRun {
  /** Null when it did not end by itself. */
  readonly exitCode: number | null;
  readonly signal: string | null;
  /** Why it counts as failed, where the exit code does not say: a time limit, too much output, a program that is not there. */
  readonly problem?: string;
  readonly attempts: number;
  /** Texts where they are short and valid UTF-8. */
  readonly stdout: string | Uint8Array;
  readonly stderr: string | Uint8Array;
}

/** What every worker of a map is told. */
export interface MapContext {
  readonly words: readonly string[];
  readonly cwd: string;
  readonly stdin: boolean;
  readonly retries: number;
  /** 0 for none. */
  readonly timeoutMs: number;
}

export interface MapItem {
  readonly item: string;
  /** Counted from 1. */
  readonly number: number;
}

/** Whether the item's command did not do what it was asked. */
export function hasFailed({ exitCode, problem }: ItemRun): boolean {
  return exitCode !== 0 || problem !== undefined;
}

/** Whether all items have the same program. */
export function hasOneProgram([program]: readonly string[]): boolean {
  return !program.includes("{}") && !program.includes("{#}");
}

/** The program is not there any more, or the machine starts none: nothing became of the item. */
export class CannotStart extends Error {
  override readonly name = "CannotStart";
}
