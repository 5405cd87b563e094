import { text } from "node:stream/consumers";
import { UsageError } from "@coppice/engine/usage-error";

/** A longer text does not fit into any model, and was not meant to be asked. */
const LONGEST = 1_000_000;

/** The text a command is about: its argument, or its input when that is `-` or something is piped in. */
export async function textInput(
  argument: string | undefined,
  what: string,
  input: NodeJS.ReadableStream & { readonly isTTY?: boolean } = process.stdin,
): Promise<string> {
  const piped = argument === "-" || (argument === undefined && input.isTTY !== true);
  const given = piped ? await text(input) : argument;
  if (given === undefined) {
    throw new UsageError(`there is no ${what}: give it as an argument, or on standard input`);
  }
  if (given.trim() === "") throw new UsageError(`the ${what} is empty`);
  if (given.length > LONGEST) {
    throw new UsageError(`the ${what} has ${given.length} characters; at most ${LONGEST} can be asked`);
  }
  if (given.includes("\0")) throw new UsageError(`the ${what} is not text: it holds zero bytes`);
  return given.trim();
}
