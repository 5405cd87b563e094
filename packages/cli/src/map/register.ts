import { poolKinds } from "@coppice/engine/pools";
import type { Command } from "commander";
import { durationMs, wholeNumber, workerCount } from "../options/arguments.ts";
import { addOptions, collected, type OptionRow } from "../options/option-table.ts";
import { addJsonOption, addPlaceOption, addPoolSettings, withExample } from "../options/run-options.ts";
import type { MapFlags } from "./map.ts";

const rows: readonly OptionRow[] = [
  [
    "-j, --jobs <n>",
    "commands at once; auto is one per core",
    { read: workerCount, usual: "auto", env: "COPPICE_WORKERS" },
  ],
  ["-0, --null", "items end with a zero byte instead of a line break (find -print0)"],
  [
    "--input <format>",
    "lines, or json: an array or one JSON value per line",
    { choices: ["lines", "json"], usual: "lines" },
  ],
  ["--stdin", "the command reads its item from standard input instead of as an argument"],
  ["--retries <n>", "further attempts after one that failed", { read: wholeNumber(0, 1000), usual: 0 }],
  [
    "--timeout <time>",
    "time limit of one attempt: 500ms, 30s, 5m or plain seconds; 0 for none",
    { read: durationMs, usual: 0 },
  ],
  ["--halt", "stop at the first item that fails, in order; otherwise all are run"],
  ["--tag", "begin every line of output with its item and a tab"],
  ["--progress", "report on standard error how many are done"],
  ["--dry-run", "print the commands and run nothing"],
  ["--durable", "sync the journal to disk before every result is printed"],
  ["--id <name>", "name of the run, instead of the next number"],
];

/** Adds `coppice map`. */
export function registerMap(program: Command): void {
  // What comes after the command's first word is the command's own.
  program.enablePositionalOptions();
  const command = program
    .command("map")
    .description("run a command for every item, many at once, and print their output in order; can be resumed")
    .argument("<command...>", "the command; {} is the item (appended if absent), {#} its number; no shell is started")
    .passThroughOptions();
  addOptions(command, rows);
  // Kinds that end what a command has started together with it.
  const kinds = poolKinds().filter(({ endsChildren, forWaiting }) => endsChildren || forWaiting === true);
  addOptions(addPoolSettings(command), [
    [
      "--pool <kind>",
      "where commands run (concurrent); with cluster on other machines, in the same folder",
      { choices: kinds.map(({ kind }) => kind) },
    ],
    [
      "-a, --arg-file <file>",
      "read items from a file instead of standard input; may be given several times",
      { read: collected, usual: [], shown: "standard input" },
    ],
  ]);
  addJsonOption(command, "a JSON line per item: exit code, standard output and error");
  withExample(addPlaceOption(command), "coppice map -j 4 --tag wc -c {} ::: README.md LICENSE").action(
    async (typed: readonly string[], flags: MapFlags) => (await import("./map.ts")).map(typed, flags),
  );
}
