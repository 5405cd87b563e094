import { type PreparedRun, type RunFile, UsageError } from "@coppice/engine";
import type { WorkOptions } from "../options/work-options.ts";

/** A recorded run, prepared again. */
export interface Rebuilt extends PreparedRun {
  /** Continues the run in the tool's own way. */
  resume?(options: WorkOptions): Promise<void>;
}

/** Prepares a recorded run again from its `run.json`, so that it can be resumed or verified. */
type Rebuild = (file: RunFile, directory: string) => Promise<Rebuilt>;

/** By the `tool` that `run.json` names; a tool whose runs can be resumed has one line here. */
const rebuilders: Readonly<Record<string, () => Promise<Rebuild>>> = {
  ask: async () => (await import("../ask/plan-ask.ts")).rebuildAsk,
  council: async () => (await import("../council/rebuild.ts")).rebuildCouncil,
  digest: async () => (await import("../digest/rebuild.ts")).rebuildDigest,
  "flow-plan": async () => (await import("../flow/rebuild-plan.ts")).rebuildPlan,
  run: async () => (await import("@coppice/engine")).prepareRecordedModule,
  swarm: async () => (await import("../swarm/plan-swarm.ts")).rebuildSwarm,
  tree: async () => (await import("../tree/rebuild.ts")).rebuildTree,
  tune: async () => (await import("../tune/rebuild.ts")).rebuildTune,
};

/** Prepares a recorded run as its tool did when it was started. */
export async function rebuild(file: RunFile, directory: string): Promise<Rebuilt> {
  const load = Object.hasOwn(rebuilders, file.tool) ? rebuilders[file.tool] : undefined;
  if (load === undefined) {
    const why = file.tool === "library" ? "by a program of its own" : `by the tool "${file.tool}"`;
    throw new UsageError(`run ${file.id} was started ${why}, which this command cannot rebuild: use that program`);
  }
  return (await load())(file, directory);
}
