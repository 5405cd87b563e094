import { relative } from "node:path";
import { fileURLToPath } from "node:url";

/** What calls the search: below it in a stack there is nothing of the search's. */
const CALLER = fileURLToPath(new URL("./driver.ts", import.meta.url));

/** Where an error was thrown, ` (search.ts:12)`, for messages of one line; nothing if its stack does not say. */
export function thrownAt(error: unknown): string {
  if (!(error instanceof Error)) return "";
  const frames = error.stack?.split("\n").filter((line) => /^\s+at /.test(line)) ?? [];
  for (const frame of frames) {
    const [, place, line] = /[ (](file:\/\/\S+|\/[^():]+):(\d+):\d+\)?$/.exec(frame) ?? [];
    if (place === undefined || place.includes("/node_modules/")) continue;
    const path = place.startsWith("file:") ? fileURLToPath(place) : place;
    if (path === CALLER) return "";
    const fromHere = relative("", path);
    return ` (${fromHere.startsWith("..") ? path : fromHere}:${line})`;
  }
  return "";
}
