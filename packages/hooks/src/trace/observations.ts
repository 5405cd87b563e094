import { readFileSync } from "node:fs";
import { join } from "node:path";
import { writeDurably } from "@coppice/engine/files";
import { fieldsOf, parseFields } from "../json-fields.ts";
import type { Hook, Touches } from "../settings/hook.ts";
import { makeStateDirectory, OBSERVED_FILE } from "../state-directory.ts";
import { fingerprint, versionOf } from "./hook-files.ts";
import { hasContent, isShared } from "./traced-content.ts";

/** What was seen of one hook, and of which version of it. */
export interface Observation extends Touches {
  readonly hook: string;
  readonly method: "strace" | "snapshot";
  /** The hook's own files; the fingerprint is of these. */
  readonly files: readonly string[];
  readonly fingerprint: string;
  /** Of the same files: while it stays, so does the fingerprint, and nothing has to be read. */
  readonly version?: string;
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
    return readFileSync(join(stateDir, OBSERVED_FILE), "utf8");
  } catch {
    return "";
  }
}

/** What was seen of a hook; a hook may be called anything (`constructor`), and a file of ours may be damaged. */
export function observationOf(
  observed: Observations,
  { event, name }: Pick<Hook, "event" | "name">,
): Observation | undefined {
  const ofEvent = Object.hasOwn(observed, event) ? fieldsOf(observed[event]) : undefined;
  const seen = ofEvent !== undefined && Object.hasOwn(ofEvent, name) ? fieldsOf(ofEvent[name]) : undefined;
  const whole = [seen?.files, seen?.reads, seen?.writes].every((list) => Array.isArray(list));
  return whole ? (seen as unknown as Observation) : undefined;
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
  writeDurably(join(stateDir, OBSERVED_FILE), `${JSON.stringify(next, null, 2)}\n`, 0o600);
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

/** Whether a hook is still the one that was watched. */
export function isAsTraced(hook: Hook, seen: Observation): boolean {
  return versionOf(hook, seen.files) === seen.version || fingerprint(hook, seen.files) === seen.fingerprint;
}

/** Hooks as far as what is known of them still holds, and those of which it does not. */
export interface TracedHooks {
  readonly hooks: readonly Hook[];
  readonly stale: readonly Hook[];
}

/**
 * A hook that was watched and has changed since runs alone, whatever is declared of it, until it is watched again
 * (H-17). With `useSeen`, hooks that declare nothing are taken for what was seen of the very same files.
 */
export function asTraced(
  hooks: readonly Hook[],
  observed: Observations,
  useSeen: boolean,
  projectDir: string,
): TracedHooks {
  const stale: Hook[] = [];
  const known = hooks.map((hook): Hook => {
    const seen = observationOf(observed, hook);
    const { touches, traced } = hook;
    if (touches === undefined && !useSeen) return hook;
    // What a declaration was traced of is known even where it was traced by somebody else; what does not come with the
    // project is known only where it was watched.
    const content = touches === undefined ? undefined : traced;
    const told = content === undefined || hasContent(hook, content, projectDir);
    const watched =
      seen === undefined ||
      isAsTraced(hook, seen) ||
      (content !== undefined && seen.files.every((file) => isShared(file, projectDir)));
    if (told && watched)
      return seen === undefined ? hook : { ...hook, touches: touches ?? { reads: seen.reads, writes: seen.writes } };
    stale.push(hook);
    return { ...hook, touches: undefined };
  });
  return { hooks: known, stale };
}
