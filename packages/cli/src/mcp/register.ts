import { fileURLToPath } from "node:url";
import { type Command, Option } from "commander";
import { dollars } from "../options/arguments.ts";
import { checkFolder } from "../options/output-file.ts";
import { addPlaceOption, type PlaceOptions, withExample } from "../options/run-options.ts";
import { ownPackage } from "../own-package.ts";

interface McpFlags extends PlaceOptions {
  readonly allowCommands?: boolean;
  readonly allowApply?: boolean;
  readonly maxCost?: number;
}

/** Adds `coppice mcp`. */
export function registerMcp(program: Command): void {
  const command = program
    .command("mcp")
    .description(
      "serve coppice's tools to a coding agent, over the Model Context Protocol on standard input and output",
    )
    .option(
      "--allow-commands",
      "let agents start trees and evaluators, which run programs that the project's files name",
    )
    .option("--allow-apply", "let agents put a tree's code into the working tree")
    .addOption(new Option("--max-cost <dollars>", "the most that one call may spend on models").argParser(dollars));
  withExample(addPlaceOption(command), "coppice mcp --max-cost 1").action(async (flags: McpFlags) => {
    const { runDir, allowCommands = false, allowApply = false, maxCost } = flags;
    checkFolder("--run-dir", runDir);
    const { serveMcp } = await import("@coppice/mcp");
    await serveMcp({
      version: ownPackage().version,
      starter: [process.execPath, fileURLToPath(new URL("../../bin/coppice.js", import.meta.url))],
      runs: runDir,
      commands: allowCommands,
      apply: allowApply,
      ...(maxCost === undefined ? {} : { maxCost }),
    });
  });
}
