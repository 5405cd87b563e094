import type { RunFile } from "@coppice/engine/records";
import type { PreparedRun } from "@coppice/engine/session";
import { UsageError } from "@coppice/engine/usage-error";
import { decode } from "@coppice/engine/values";
import type { SamplingRecord } from "@coppice/projections/sampling";
import type { WorkOptions } from "../options/run-options.ts";
import type { ShownRun } from "../session/live-run.ts";

/** Prepares a recorded run again from its `run.json`, so that it can be resumed (with `options`) or verified. */
type Rebuild = (file: RunFile, directory: string, options?: WorkOptions, module?: string) => Promise<ShownRun>;

/** By the `tool` that `run.json` names; a tool whose runs can be resumed has one line here. */
const rebuilders: Readonly<Record<string, () => Promise<Rebuild>>> = {
  ask: async () => recorded((await import("@coppice/agents/ask")).prepareAsk),
  council: async () => recorded((await import("@coppice/agents/council")).prepareCouncil),
  digest: async () => recorded((await import("@coppice/agents/digest")).prepareDigest),
  "flow-plan": async () => (await import("../flow/plan.ts")).rebuildPlan,
  map: async () => (await import("../map/map.ts")).rebuildMap,
  ranking: async () => recorded((await import("@coppice/agents/ranking")).prepareRanking),
  run: async () => {
    const { prepareRecordedModule } = await import("@coppice/engine/session");
    return (file, directory, _, module) => prepareRecordedModule(file, directory, module);
  },
  sampling: async () => {
    const { prepareRecordedSampling } = await import("@coppice/projections/sampling");
    // Casts: written by that tool; who does not look at candidates and results takes any.
    return async ({ options }, directory) =>
      prepareRecordedSampling(options as SamplingRecord, directory) as unknown as PreparedRun;
  },
  space: async () => {
    const { rebuildSpace } = await import("../run/space-run.ts");
    return async (file, directory) => rebuildSpace(file, directory);
  },
  swarm: async () => recorded((await import("@coppice/agents/swarm")).prepareSwarm),
  tree: async () => (await import("../tree/resume.ts")).rebuildTree,
  tune: async () => (await import("../tune/tune.ts")).rebuildTune,
};

/** Tools whose runs can be resumed. */
export const rebuiltTools: readonly string[] = Object.keys(rebuilders);

/** Of a tool that prepares every run from its record and what its evaluator is told: `run.json` keeps both. */
function recorded<Record, Context, Candidate, Value, Result>(
  prepare: (
    record: Record,
    context: Context,
  ) => PreparedRun<Candidate, Value, Result> | Promise<PreparedRun<Candidate, Value, Result>>,
): Rebuild {
  // Casts: the tool that reads them has written them.
  return async ({ options, context }) =>
    (await prepare(options as Record, decode(context) as Context)) as unknown as PreparedRun;
}

/**
 * Prepares a recorded run as its tool did when it was started; `options` are for a session that goes on with it, `module`
 * is where the user's module is now.
 */
export async function rebuild(
  file: RunFile,
  directory: string,
  options?: WorkOptions,
  module?: string,
): Promise<ShownRun> {
  if (module !== undefined && file.tool !== "run") {
    throw new UsageError(`--module ${module}: run ${file.id} was made by "${file.tool}", not by a module`);
  }
  const load = Object.hasOwn(rebuilders, file.tool) ? rebuilders[file.tool] : undefined;
  if (load === undefined) {
    const why = file.tool === "library" ? "by its own program" : `by the tool "${file.tool}"`;
    throw new UsageError(`run ${file.id} was started ${why}, which this command cannot rebuild: use that program`);
  }
  return (await load())(file, directory, options, module);
}
