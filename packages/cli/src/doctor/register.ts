import type { Command } from "commander";
import { addJsonOption, addPlaceOption, withExample } from "../options/run-options.ts";

/** Adds `coppice doctor`. */
export function registerDoctor(program: Command): void {
  const command = program
    .command("doctor")
    .description("look at Node, cores, memory, programs and what is written where; say what to do; changes nothing");
  withExample(addPlaceOption(addJsonOption(command)), "coppice doctor").action(async (flags) =>
    (await import("./doctor.ts")).examine(flags),
  );
}
