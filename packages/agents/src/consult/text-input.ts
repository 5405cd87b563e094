import { fstatSync } from "node:fs";
import { text } from "node:stream/consumers";
import { UsageError } from "@coppice/engine/usage-error";
import { readSource } from "../digest/source-file.ts";
import { dataBlock } from "./data-block.ts";

/** A longer text does not fit into any model, and was not meant to be asked. */
const LONGEST = 1_000_000;

/** Standard input, as far as a text is read from it. */
export interface TextInput {
  readonly stream: NodeJS.ReadableStream & { readonly isTTY?: boolean };
  /** Whether somebody put something in: a pipe or a file, not the socket or nothing of a program that starts us. */
  readonly given: boolean;
}

/**
 * The text a command is about: its argument, or its input when that is `-` or there is no argument. Where there are both,
 * the input follows the argument as data (`cat notes.md | coppice ask "What is missing?"`).
 */
export async function textInput(
  argument: string | undefined,
  what: string,
  { stream, given }: TextInput = { stream: process.stdin, given: isPipeOrFile() },
): Promise<string> {
  if (argument === "-" || (argument === undefined && stream.isTTY !== true)) return checked(await text(stream), what);
  if (argument === undefined) {
    throw new UsageError(`there is no ${what}: give it as an argument, or on standard input`);
  }
  const question = checked(argument, what);
  const data = given && stream.isTTY !== true ? await text(stream) : "";
  if (data.trim() === "") return question;
  return `${question}\n\n${dataBlock("standard input", checked(data, "standard input"))}`;
}

/** A question with files behind it, as data. */
export async function withAttachments(question: string, paths: readonly string[]): Promise<string> {
  const blocks: string[] = [];
  for (const path of new Set(paths)) {
    const source = await readSource(path, { maxBytes: LONGEST });
    if (source.state !== "read") throw new UsageError(`--attach ${path}: ${source.problem}`);
    blocks.push(dataBlock(path, source.lines.join("\n")));
  }
  return checked([question, ...blocks].join("\n\n"), "question with what is attached");
}

function checked(given: string, what: string): string {
  if (given.trim() === "") throw new UsageError(`the ${what} is empty: give it as an argument, or on standard input`);
  if (given.length > LONGEST) {
    throw new UsageError(`the ${what} has ${given.length} characters; at most ${LONGEST} can be asked`);
  }
  if (given.includes("\0")) throw new UsageError(`the ${what} is not text: it holds zero bytes`);
  return given.trim();
}

function isPipeOrFile(): boolean {
  try {
    const stat = fstatSync(0);
    return stat.isFIFO() || stat.isFile();
  } catch {
    return false;
  }
}
