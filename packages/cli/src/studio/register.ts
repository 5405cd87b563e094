import type { Command } from "commander";
import { wholeNumber } from "../options/arguments.ts";
import { addPlaceOption, withExample } from "../options/run-options.ts";

export interface StudioFlags {
  readonly runDir: string;
  readonly port?: number;
  readonly host: string;
  readonly auth: boolean;
  readonly export?: string;
}

/** Adds `coppice studio`. */
export function registerStudio(program: Command): void {
  const command = program
    .command("studio")
    .description("show runs in the browser, live; reads what they leave on disk, reachable from this machine only")
    .argument("[folders...]", "further folders of runs; with --export, the run (id or directory)")
    .option("--port <n>", "a port of your choice (any free one)", wholeNumber(1, 65_535))
    .option("--host <address>", "an address that others can reach too; only together with the token", "127.0.0.1")
    .option("--no-auth", "no token in the address: everyone on this machine may look, nobody may act")
    .option("--export <file>", "write the page of one run as a file that needs nothing else, and end");
  withExample(addPlaceOption(command), "coppice studio --port 4400").action(async (folders, flags) =>
    (await import("./studio.ts")).studio(folders, flags),
  );
}
