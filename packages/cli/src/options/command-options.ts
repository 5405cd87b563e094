import type { CommandMode } from "@coppice/engine/command";
import type { Command } from "commander";
import { namesIn } from "./arguments.ts";
import { addOptions } from "./option-table.ts";

/** What a command that takes an evaluator is told of one that is a program. */
export interface CommandFlags {
  readonly command?: string;
  readonly commandMode?: CommandMode;
  readonly commandFiles?: readonly string[];
}

/** Adds `--command` and what belongs to it. */
export function addCommandOptions(command: Command): Command {
  return addOptions(command, [
    [
      "--command <line>",
      "evaluate with a program in any language: it reads a candidate as JSON and prints its value; no shell is started",
    ],
    [
      "--command-mode <mode>",
      "once: a process per task; lines: a process per worker that answers line by line (once)",
      { choices: ["once", "lines"] },
    ],
    ["--command-files <names>", "files the program also depends on, separated by commas", { read: namesIn }],
  ]);
}
