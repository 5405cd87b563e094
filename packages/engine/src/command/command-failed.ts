import type { EndedChild } from "../child-process/run-child.ts";
import { beginning } from "../display/printable.ts";

/** Why a program did not evaluate a candidate: text that depends on the candidate only, and what it printed for people. */
export class CommandFailed extends Error {
  override readonly name = "CommandFailed";
  /** The last lines of its standard error; a search never sees them. */
  readonly data: { readonly stderr: readonly string[] };
  /** The program itself said so, in an answer. */
  readonly said: boolean;

  constructor(message: string, stderr: readonly string[] = [], said = false) {
    super(message);
    this.data = { stderr };
    this.said = said;
  }
}

const KEPT_BYTES = 8 * 1024;
const KEPT_LINES = 10;
const WORDS_LINES = 3;
const SHOWN_CHARACTERS = 200;

/** The end of what a program writes to its standard error. */
export class LastLines {
  #text = "";

  add(bytes: Buffer): void {
    this.#text = (this.#text + bytes.toString("latin1")).slice(-KEPT_BYTES);
  }

  lines(): string[] {
    const text = Buffer.from(this.#text, "latin1").toString("utf8");
    return text
      .split("\n")
      .map((line) => line.trimEnd())
      .filter((line) => line !== "")
      .slice(-KEPT_LINES);
  }
}

/** A program that ended by itself without an answer: how, and its last words. */
export function endedInstead({ ending }: EndedChild, command: string, stderr: readonly string[]): CommandFailed {
  const words = stderr.slice(-WORDS_LINES).map((line) => line.trim().slice(0, SHOWN_CHARACTERS));
  const last = words.length === 0 ? "" : `: ${words.join(" | ")}`;
  return new CommandFailed(`${command} ${howEnded(ending)}${last}`, stderr);
}

function howEnded(ending: EndedChild["ending"]): string {
  switch (ending.kind) {
    case "exited":
      return ending.code === 0 ? "ended without an answer" : `ended with exit code ${ending.code}`;
    case "signalled":
      return `was ended by ${ending.signal}`;
    case "unstartable":
      return `could not be started (${ending.reason})`;
    case "timeout":
    case "ended":
      return "was ended";
  }
}

/** A command as people know it. */
export function commandName(command: readonly string[]): string {
  return oneLine(command.join(" "), 80);
}

/** The beginning of something printed, on one line. */
export function oneLine(text: string, most = 60): string {
  return beginning(text.replaceAll(/\s+/g, " ").trim(), most);
}

/** What a program printed cannot be its answer. */
export function wrongAnswer(text: string, command: string, why: string): CommandFailed {
  return new CommandFailed(`${command} printed ${JSON.stringify(oneLine(text))}: ${why}`);
}

/** Reads what a program printed as its answer. */
export function parseAnswer(text: string, command: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    const hint = /\b(NaN|Infinity)\b/.test(text) ? " (JSON has no NaN and no Infinity: print null, or fail)" : "";
    throw new CommandFailed(`${command} printed ${JSON.stringify(oneLine(text))}, which is not one JSON value${hint}`);
  }
}
