import type { RunOption } from "@coppice/engine";
import { loadModule, prepareModule } from "@coppice/engine/session";
import { UsageError } from "@coppice/engine/usage-error";
import type { RunOptions } from "../options/run-options.ts";
import { newRun, runAndPrint } from "../session/live-run.ts";

/** `coppice run <module>`: the module's own defaults give way to the command line and the environment. */
export async function startModule(given: string, pairs: readonly string[], options: RunOptions): Promise<void> {
  const loaded = await loadModule(given);
  const moduleOptions = readOptions(pairs, loaded.run.options);
  const prepared = await prepareModule(loaded, { seed: options.seed ?? 0, options: moduleOptions });
  await runAndPrint(prepared, newRun(options), options);
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
