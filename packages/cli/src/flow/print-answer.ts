import { print, printJson, tell } from "../print.ts";

/** Prints what a command found: as one JSON document, or as text for people. */
export function printAnswer(
  json: boolean | undefined,
  data: unknown,
  text: () => string,
  notices: readonly string[] = [],
): void {
  for (const notice of notices) tell(`note: ${notice}`);
  if (json === true) printJson(data);
  else print(text());
}
