import { readFileSync } from "node:fs";

/** The engine's own version, as its package says. */
export const COPPICE_VERSION: string = (
  JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8")) as { version: string }
).version;
