import { readFileSync } from "node:fs";
import { join } from "node:path";
import { writeDurably } from "@coppice/engine/files";
import { parseFields } from "../json-fields.ts";
import type { Hook, Touches } from "../settings/hook.ts";
import { makeStateDirectory } from "../state-directory.ts";
import { fingerprint } from "./hook-files.ts";

/** What was seen of one hook, and of which version of it. */
export interface Observation extends Touches {
  readonly hook: string;
  readonly method: "strace" | "snapshot";
  /** The hook's own files; the fingerprint is of these. */
  readonly files: readonly string[];
  readonly fingerprint: string;
  /** How many runs were watched. */
  readonly runs: number;
}

/** Observations by event and hook. */
export type Observations = Readonly<Record<string, Readonly<Record<string, Observation>>>>;

/** What was seen so far; nothing if nothing was recorded or it cannot be read. */
export function readObservations(stateDir: string): Observations {
  return (parseFields(observationsText(stateDir)) ?? {}) as Observations;
}

/** The record of what was seen, as it stands in its file; empty when there is none. */
export function observationsText(stateDir: string): string {
  try {
    return readFileSync(join(stateDir, "observed.json"), "utf8");
  } catch {
    return "";
  }
}

/** What was seen of a hook; a hook may be called anything (`constructor`). */
export function observationOf(
  observed: Observations,
  { event, name }: Pick<Hook, "event" | "name">,
): Observation | undefined {
  const ofEvent = Object.hasOwn(observed, event) ? observed[event] : {};
  return Object.hasOwn(ofEvent, name) ? ofEvent[name] : undefined;
}

/** Adds to what was seen before of the same files; what was seen of others is replaced. */
export function addObservations(stateDir: string, event: string, seen: readonly Observation[]): Observations {
  const all = readObservations(stateDir);
  const ofEvent = { ...all[event] };
  for (const observation of seen) {
    const known = Object.hasOwn(ofEvent, observation.hook) ? ofEvent[observation.hook] : undefined;
    ofEvent[observation.hook] =
      known?.fingerprint === observation.fingerprint ? together(known, observation) : observation;
  }
  const next = { ...all, [event]: ofEvent };
  makeStateDirectory(stateDir);
  writeDurably(join(stateDir, "observed.json"), `${JSON.stringify(next, null, 2)}\n`, 0o600);
  return next;
}

/** Two views of one hook: snapshots add what was written, but what strace saw of reads is not unlearned. */
function together(known: Observation, seen: Observation): Observation {
  const traced = [known, seen].filter(({ method }) => method === "strace");
  const readers = traced.length > 0 ? traced : [known, seen];
  const union = (lists: readonly (readonly string[])[]): readonly string[] => [...new Set(lists.flat())].sort();
  return {
    ...seen,
    method: traced.length > 0 ? "strace" : "snapshot",
    reads: union(readers.map(({ reads }) => reads)),
    writes: union([known.writes, seen.writes]),
    runs: known.runs + seen.runs,
  };
}

/** Gives undeclared hooks what was seen of the very same files (H-17); anything else about them still means alone. */
export function withObservations(hooks: readonly Hook[], observed: Observations): readonly Hook[] {
  return hooks.map((hook) => {
    const seen = observationOf(observed, hook);
    if (hook.touches !== undefined || seen === undefined || fingerprint(hook, seen.files) !== seen.fingerprint)
      return hook;
    return { ...hook, touches: { reads: seen.reads, writes: seen.writes } };
  });
}
