import { type Command, Option } from "commander";
import { addRunOptions, type RunOptions, withExample } from "../options/run-options.ts";

/** Adds `coppice run <module>`. */
export function registerRun(program: Command): void {
  const command = program
    .command("run")
    .description("run your own search: a module whose default export is defineRun({ … })")
    .argument("<module>", "the module's file (.ts, .js or .mjs)")
    .addOption(
      new Option("--option <name=value>", "an option of the module; may be given several times")
        .argParser(collect)
        .default([], "the module's own"),
    );
  withExample(
    addRunOptions(command),
    "coppice run examples/launch-angle/run.ts --workers 2 --option headWind=4",
  ).action(async (module: string, { option, ...options }: RunOptions & { option: readonly string[] }) => {
    const { startModule } = await import("./start-module.ts");
    await startModule(module, option, options);
  });
}

function collect(value: string, earlier: readonly string[]): string[] {
  return [...earlier, value];
}
