import type { ConsultChoices } from "@coppice/agents/consult";
import { type Command, InvalidArgumentError } from "commander";
import { dollars, durationMs, numberUpTo, wholeNumber } from "../options/arguments.ts";
import { addOptions, type OptionRow } from "../options/option-table.ts";
import { addJsonOption, addPlaceOption, withExample } from "../options/run-options.ts";

/** What every command that asks language models can be told. */
export interface ConsultFlags extends ConsultChoices {
  readonly cache?: boolean;
  readonly cacheFile?: string;
  readonly id?: string;
  readonly json?: boolean;
  readonly quiet?: boolean;
  readonly runDir: string;
}

/** For commands that ask many things, each of which may fail alone. */
export const minSuccess: OptionRow = [
  "--min-success <share>",
  "share of answers that makes it a success (exit code 0)",
  { read: numberUpTo(1), usual: 0.5 },
];

/** How help describes a command that asks language models. */
interface ConsultHelp {
  readonly description: string;
  readonly argument: readonly [name: string, description: string];
  readonly example: string;
}

/** Gives a command its own options, and those of every command that asks language models. */
export function asConsultation(command: Command, rows: readonly OptionRow[], help: ConsultHelp): Command {
  addOptions(command.description(help.description).argument(...help.argument), [...rows, ...consultRows]);
  return withExample(addPlaceOption(addJsonOption(command)), help.example);
}

const consultRows: readonly OptionRow[] = [
  // Models are asked from one process: what they cost, their quotas and their pace are counted there.
  [
    "--pool <kind>",
    "",
    {
      hidden: true,
      read: () => {
        throw new InvalidArgumentError(
          "models are asked from one process, which counts what they cost: see --concurrency",
        );
      },
    },
  ],
  [
    "--model <name>",
    "ask this model: a name in the models file, or provider/model; ask and council take several: a,b,c",
    { env: "COPPICE_MODEL" },
  ],
  ["--models <file>", "the models file (coppice.models.yaml, here or above)", { env: "COPPICE_MODELS" }],
  ["--demo", "made-up answers from this machine; no key needed", { conflicts: ["model", "models"] }],
  ["--persona-folder <folder>", "your own personas, one .md file each"],
  ["--concurrency <n>", "requests at once", { read: wholeNumber(1, 1000), usual: 50, env: "COPPICE_CONCURRENCY" }],
  ["--timeout <time>", "time limit of one attempt", { read: durationMs, usual: 120_000, shown: "120s" }],
  [
    "--retries <n>",
    "further attempts when one fails for a reason that may pass",
    { read: wholeNumber(0, 100), usual: 2 },
  ],
  ["--max-cost <dollars>", "the most to spend: a request that is not expected to fit is not sent", { read: dollars }],
  ["--max-tokens <n>", "the longest answer, in tokens", { read: wholeNumber(1, 10_000_000) }],
  ["--temperature <t>", "0 to 2; the provider's default if absent", { read: numberUpTo(2) }],
  ["--effort <level>", "how hard the model should think", { choices: ["low", "medium", "high"] }],
  ["--continue-cut", "ask for the rest of answers that were cut off at their length limit"],
  ["--record <file>", "add every answer to a recording"],
  ["--replay <file>", "answer from a recording instead of asking", { conflicts: ["record"] }],
  ["--dry-run", "print the exact requests and send nothing"],
  ["--cache", "reuse answers of earlier runs (.coppice/cache.sqlite)"],
  ["--cache-file <file>", "reuse them from this file", { env: "COPPICE_CACHE" }],
  ["--id <name>", "name of the run, instead of the next number"],
  ["--quiet", "plain lines instead of the live display", { onBy: "COPPICE_QUIET" }],
];
