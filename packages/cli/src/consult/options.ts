import type { ConsultChoices } from "@coppice/agents/consult";
import { type Command, InvalidArgumentError, Option } from "commander";
import { dollars, durationMs, numberUpTo, wholeNumber } from "../options/arguments.ts";
import { addJsonOption, addPlaceOption, switchOption } from "../options/run-options.ts";

/** What every command that asks language models can be told. */
export interface ConsultFlags extends ConsultChoices {
  readonly cache?: boolean;
  readonly cacheFile?: string;
  readonly id?: string;
  readonly json?: boolean;
  readonly quiet?: boolean;
  readonly runDir: string;
}

/** Adds the options of commands that ask many things, each of which may fail alone. */
export function addBatchOptions(command: Command): Command {
  const share = new Option("--min-success <share>", "share of answers that makes it a success (exit code 0)");
  return addConsultOptions(command.addOption(share.argParser(numberUpTo(1)).default(0.5)));
}

/** Models are asked from one process: what they cost, their quotas and their pace are counted there. */
const noPool = new Option("--pool <kind>").hideHelp().argParser(() => {
  throw new InvalidArgumentError("models are asked from one process, which counts what they cost: see --concurrency");
});

/** Adds the options of commands that ask language models. */
export function addConsultOptions(command: Command): Command {
  command
    .addOption(noPool)
    .addOption(
      new Option(
        "--model <name>",
        "ask this model: a name in the models file, or provider/model; ask and council take several: a,b,c",
      ).env("COPPICE_MODEL"),
    )
    .addOption(
      new Option("--models <file>", "the models file (coppice.models.yaml, here or above)").env("COPPICE_MODELS"),
    )
    .addOption(new Option("--demo", "made-up answers from this machine; no key needed").conflicts(["model", "models"]))
    .option("--persona-folder <folder>", "your own personas, one .md file each")
    .addOption(
      new Option("--concurrency <n>", "requests at once")
        .argParser(wholeNumber({ least: 1, most: 1000 }))
        .default(50)
        .env("COPPICE_CONCURRENCY"),
    )
    .addOption(
      new Option("--timeout <time>", "time limit of one attempt").argParser(durationMs).default(120_000, "120s"),
    )
    .addOption(
      new Option("--retries <n>", "further attempts when one fails for a reason that may pass")
        .argParser(wholeNumber({ least: 0, most: 100 }))
        .default(2),
    )
    .addOption(
      new Option(
        "--max-cost <dollars>",
        "the most to spend: a request that is not expected to fit is not sent",
      ).argParser(dollars),
    )
    .addOption(
      new Option("--max-tokens <n>", "the longest answer, in tokens").argParser(
        wholeNumber({ least: 1, most: 10_000_000 }),
      ),
    )
    .addOption(new Option("--temperature <t>", "0 to 2; the provider's default if absent").argParser(numberUpTo(2)))
    .addOption(new Option("--effort <level>", "how hard the model should think").choices(["low", "medium", "high"]))
    .option("--continue-cut", "ask for the rest of answers that were cut off at their length limit")
    .option("--record <file>", "add every answer to a recording")
    .addOption(new Option("--replay <file>", "answer from a recording instead of asking").conflicts("record"))
    .option("--dry-run", "print the exact requests and send nothing")
    .option("--cache", "reuse answers of earlier runs (.coppice/cache.sqlite)")
    .addOption(new Option("--cache-file <file>", "reuse them from this file").env("COPPICE_CACHE"))
    .option("--id <name>", "name of the run, instead of the next number")
    .addOption(switchOption("--quiet", "plain lines instead of the live display", "COPPICE_QUIET"));
  return addPlaceOption(addJsonOption(command));
}

/** For an option that may be repeated; one that takes a list would also take the question. */
export function collected(value: string, before: readonly string[] = []): readonly string[] {
  return [...before, value];
}
