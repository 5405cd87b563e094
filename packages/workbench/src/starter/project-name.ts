import { basename } from "node:path";

/** What npm accepts no project to be called: its own folder, a file of browsers, and what the project depends on. */
const TAKEN: ReadonlySet<string> = new Set(["", "node_modules", "favicon.ico", "coppice"]);

/** npm's own limit. */
const LONGEST = 214;

/** A name for package.json, made of a folder's: lower case, and only what npm accepts. */
export function projectName(folder: string): string {
  const name = basename(folder)
    .normalize("NFKD")
    .toLowerCase()
    .replace(/\p{M}/gu, "")
    .replace(/[^a-z0-9._-]+/g, "-")
    .replace(/^[._-]+/, "")
    .slice(0, LONGEST)
    .replace(/[._-]+$/, "");
  return TAKEN.has(name) ? "my-search" : name;
}
