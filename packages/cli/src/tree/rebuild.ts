import { resolve } from "node:path";
import type { RunFile } from "@coppice/engine/records";
import { dryRunEvaluator, readTree, searchOf, treeEvaluator } from "@coppice/ideas";
import type { Rebuilt } from "../tools/rebuild.ts";

/** Prepares a recorded tree again, so that it can be verified; resuming is the tree's own business. */
export async function rebuildTree(file: RunFile, directory: string): Promise<Rebuilt> {
  const { settings, journal, runRoot } = readTree(resolve(directory));
  return {
    tool: file.tool,
    record: () => file.options,
    search: searchOf(settings, journal) as Rebuilt["search"],
    evaluator: settings.shape.dryRun ? dryRunEvaluator : treeEvaluator,
    context: { runRoot },
    ...(settings.shape.dryRun ? {} : { impure: "evaluations ran commands in a repository" }),
    resume: async (options) => {
      const { resumeTree } = await import("./resume.ts");
      const { quiet, json, runDir } = options;
      await resumeTree(directory, {
        runDir,
        ...(quiet === undefined ? {} : { quiet }),
        ...(json === undefined ? {} : { json }),
        ...(options.workers === "auto" ? {} : { maxParallelEvals: options.workers }),
      });
    },
  };
}
