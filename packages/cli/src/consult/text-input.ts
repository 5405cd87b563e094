import { text } from "node:stream/consumers";
import { UsageError } from "@coppice/engine";

/** More than this fits into no model, and is a slip. */
const LONGEST = 1_000_000;

/** The text a command is about: its argument, or standard input when that is `-` or something is piped in. */
export async function textInput(argument: string | undefined, what: string): Promise<string> {
  const piped = argument === "-" || (argument === undefined && process.stdin.isTTY !== true);
  const given = piped ? await text(process.stdin) : argument;
  if (given === undefined) {
    throw new UsageError(`there is no ${what}: give it as an argument, or on standard input`);
  }
  if (given.trim() === "") throw new UsageError(`the ${what} is empty`);
  if (given.length > LONGEST) {
    throw new UsageError(`the ${what} has ${given.length} characters; at most ${LONGEST} are asked`);
  }
  if (given.includes("\0")) throw new UsageError(`the ${what} is not text: it holds zero bytes`);
  return given.trim();
}
