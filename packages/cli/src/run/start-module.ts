import type { RunOption } from "@coppice/engine";
import type { CommandOptions } from "@coppice/engine/command";
import { loadModule, prepareModule } from "@coppice/engine/session";
import { UsageError } from "@coppice/engine/usage-error";
import { chosenCommand } from "../options/chosen-command.ts";
import type { CommandFlags } from "../options/command-options.ts";
import type { RunOptions } from "../options/run-options.ts";
import { newRun, runAndPrint } from "../session/live-run.ts";

/** What `coppice run` is told. */
export interface RunFlags extends RunOptions, CommandFlags {
  readonly option: readonly string[];
  readonly space?: string;
  readonly evaluations?: number;
}

/** Points of a space that are tried unless somebody says otherwise. */
const USUAL_EVALUATIONS = 200;

/** `coppice run`: a module of the user's own, or a space and a program. */
export async function startRun(module: string | undefined, flags: RunFlags): Promise<void> {
  const command = chosenCommand(flags);
  if (module !== undefined) await startModule(module, command, flags);
  else await startSpace(command, flags);
}

/** The module's own defaults give way to the command line and the environment. */
async function startModule(given: string, command: CommandOptions | undefined, flags: RunFlags): Promise<void> {
  const { option, space, evaluations, ...options } = flags;
  if (space !== undefined) throw new UsageError(`--space ${space} is searched without a module: leave ${given} out`);
  if (evaluations !== undefined) throw new UsageError("--evaluations goes with --space, not with a module");
  const loaded = await loadModule(given);
  const moduleOptions = readOptions(option, loaded.run.options);
  const prepared = await prepareModule(loaded, { seed: options.seed ?? 0, options: moduleOptions }, command);
  await runAndPrint(prepared, newRun(options), options);
}

async function startSpace(command: CommandOptions | undefined, flags: RunFlags): Promise<void> {
  const { option, space, evaluations = USUAL_EVALUATIONS, ...options } = flags;
  if (space === undefined)
    throw new UsageError(
      "missing required argument 'module': name a module to run, or a space to search with --space and --command",
    );
  if (command === undefined) throw new UsageError("--space needs a program that evaluates its points: add --command");
  if (option.length > 0) throw new UsageError(`--option ${option[0]} is for a module, and none was named`);
  const { prepareSpace } = await import("./space-run.ts");
  await runAndPrint(prepareSpace(space, command, evaluations, options.seed ?? 0), newRun(options), options);
}

type Options = Readonly<Record<string, RunOption>>;

/** Reads `--option name=value` pairs against the module's defaults: unknown names and different types are refused. */
function readOptions(pairs: readonly string[], defaults: Options = {}): Options {
  const options: Record<string, RunOption> = { ...defaults };
  for (const pair of pairs) {
    const at = pair.indexOf("=");
    if (at <= 0) throw new UsageError(`--option ${pair}: it must be name=value`);
    const name = pair.slice(0, at);
    if (!Object.hasOwn(defaults, name)) throw new UsageError(`--option ${pair}: ${knownNames(defaults)}`);
    options[name] = valueLike(defaults[name], pair.slice(at + 1), pair);
  }
  return options;
}

function knownNames(defaults: Options): string {
  const names = Object.entries(defaults).map(([name, value]) => `${name} (${value})`);
  return names.length === 0 ? "the module has no options" : `the module's options are ${names.join(", ")}`;
}

function valueLike(example: RunOption, text: string, pair: string): RunOption {
  switch (typeof example) {
    case "string":
      return text;
    case "number": {
      const value = text.trim() === "" ? Number.NaN : Number(text);
      if (Number.isFinite(value)) return value;
      throw new UsageError(`--option ${pair}: it must be a number such as ${example}`);
    }
    case "boolean":
      if (text === "true" || text === "false") return text === "true";
      throw new UsageError(`--option ${pair}: it must be true or false`);
    default:
      return example satisfies never;
  }
}
