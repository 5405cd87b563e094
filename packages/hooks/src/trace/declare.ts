import { readFileSync, writeFileSync } from "node:fs";
import { type Places, scopeFiles } from "../settings/scopes.ts";
import type { Observation } from "./observations.ts";

/** Declarations that say what was seen. */
export type Proposal = Readonly<
  Record<string, { readonly reads: readonly string[]; readonly writes: readonly string[] }>
>;

/** What to declare for the hooks that were watched. */
export function proposeDeclarations(observations: readonly Observation[]): Proposal {
  return Object.fromEntries(observations.map(({ hook, reads, writes }) => [hook, { reads, writes }]));
}

/** Writes declarations into the project's store; what else is declared there for the hooks stays. Returns the file. */
export function writeDeclarations(places: Places, proposal: Proposal): string {
  const file = scopeFiles(places, "project").store;
  let store: { declare?: Record<string, object> } = {};
  try {
    store = JSON.parse(readFileSync(file, "utf8"));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
  }
  const declare = { ...store.declare };
  for (const [hook, touches] of Object.entries(proposal)) declare[hook] = { ...declare[hook], ...touches };
  writeFileSync(file, `${JSON.stringify({ ...store, declare }, null, 2)}\n`);
  return file;
}
