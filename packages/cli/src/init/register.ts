import type { Command } from "commander";
import { addJsonOption, withExample } from "../options/run-options.ts";

/** Adds `coppice init`. */
export function registerInit(program: Command): void {
  const command = program
    .command("init")
    .description("write a small project to start from: a search, an evaluator, a test; never writes over a file")
    .argument("[folder]", "where to write it; created if it does not exist", ".")
    .option("--js", "in JavaScript instead of TypeScript");
  withExample(addJsonOption(command), "coppice init my-search").action(async (folder, flags) =>
    (await import("./init.ts")).initProject(folder, flags),
  );
}
