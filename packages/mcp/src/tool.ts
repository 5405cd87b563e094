import type { ToolAnnotations } from "@modelcontextprotocol/sdk/types.js";
import { z } from "zod";
import type { AnswerBook } from "./answer-book.ts";
import type { RunDesk } from "./run-desk.ts";

/** What the server may do; said when it is started, never by the one who calls. */
export interface Permissions {
  /** Start programs and modules that files of the project name: trees, evaluators. */
  readonly commands: boolean;
  /** Put a tree's code into the working tree. */
  readonly apply: boolean;
  /** US dollars; the most that one call may spend on models. */
  readonly maxCost?: number;
}

/** What a tool works with. */
export interface Call {
  readonly desk: RunDesk;
  readonly answers: AnswerBook;
  readonly permissions: Permissions;
  /** Aborted when the caller no longer wants the answer. */
  readonly signal: AbortSignal;
  /** Tells the caller how far it is; does nothing for one who did not ask. */
  readonly tellProgress: (done: number, message: string) => Promise<void>;
}

/** What every tool answers: small, with the address where the rest can be read. */
export const answerShape = z.looseObject({
  run: z.string().optional().describe("id of the run, for show, stop and resume"),
  state: z.string().optional().describe("running, done, interrupted, stopped, failed, …"),
  next: z.string().optional().describe("what can be done now"),
  more: z.string().optional().describe("the resource that has all of it"),
});

export type Answer = z.infer<typeof answerShape>;

export interface Tool {
  readonly name: string;
  readonly description: string;
  readonly input: z.ZodObject;
  readonly annotations: ToolAnnotations;
  readonly call: (input: Readonly<Record<string, unknown>>, call: Call) => Promise<Answer>;
}

/** A tool whose input is typed where it is written. */
export function tool<Input extends z.ZodObject>(
  definition: Omit<Tool, "input" | "call"> & {
    readonly input: Input;
    readonly call: (input: z.infer<Input>, call: Call) => Promise<Answer>;
  },
): Tool {
  // Cast: the server has the input checked by `input` before it calls.
  return definition as unknown as Tool;
}

/** `{max_rounds: 3, demo: true}` as options of the command line; what is absent or false is left out. */
export function optionsOf(input: Readonly<Record<string, unknown>>): string[] {
  return Object.entries(input).flatMap(([name, value]) => {
    if (value === undefined || value === false) return [];
    const flag = `--${name.replaceAll("_", "-")}`;
    if (value === true) return [flag];
    return [`${flag}=${Array.isArray(value) ? value.join(",") : value}`];
  });
}
