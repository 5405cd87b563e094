import { createInterface } from "node:readline/promises";

/** Whether the person at the terminal wants the changes just shown; without a terminal nobody does. */
export async function agreed(): Promise<boolean> {
  if (!process.stdin.isTTY) return false;
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  const answer = await terminal.question("make these changes? [y/N] ");
  terminal.close();
  return /^y(?:es)?$/i.test(answer.trim());
}
