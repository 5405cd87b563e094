import type { SwarmChoices } from "@coppice/agents/swarm";
import { type Command, Option } from "commander";
import { wholeNumber } from "../options/arguments.ts";
import { withExample } from "../options/run-options.ts";
import { tell } from "../print.ts";
import { addBatchOptions, type ConsultFlags } from "./options.ts";

type SwarmFlags = ConsultFlags & SwarmChoices;

export function registerSwarm(program: Command): void {
  const count = wholeNumber({ least: 1, most: 1000 });
  const command = program
    .command("swarm")
    .description("many prompts at once: views, ideas, reviews of files, test cases, or one prompt many times")
    .argument("[text]", "what --generate, --test-cases and --batch are about; - or nothing reads standard input")
    .option("--analyze <question>", "one view per persona")
    .option("--generate <n>", "n ideas, each with a different focus; near duplicates are grouped", count)
    .option("--review <globs...>", "one review per file, findings counted by severity")
    .option("--test-cases <n>", "n test cases, of four kinds in turn", count)
    .option("--batch <n>", "the same prompt n times", count)
    .option(
      "--personas <list>",
      "with --analyze: names separated by commas; a name that is not a persona is taken as a field of expertise",
    )
    .option("--focus <what>", "with --review: what to look for above all")
    .option("--file <path>", "with --test-cases: the file to test, instead of a text")
    .option("--custom-prompt <text>", "with --batch: the system prompt")
    .addOption(
      new Option("--max-file-bytes <n>", "larger files are skipped and listed")
        .argParser(wholeNumber({ least: 1, most: 10_000_000 }))
        .default(200_000),
    )
    .addOption(
      new Option("--requests-per-minute <n>", "the most requests per minute, whatever the models file says").argParser(
        wholeNumber({ least: 1, most: 1_000_000 }),
      ),
    );
  withExample(
    addBatchOptions(command),
    'coppice swarm --demo --generate 20 "names for a tool that finds slow queries"',
  ).action(swarm);
}

/** Everything is checked before the first request. */
async function swarm(typed: string | undefined, flags: SwarmFlags): Promise<void> {
  const { composeSwarm, prepareSwarm } = await import("@coppice/agents/swarm");
  const { consultSetup, runConsultation, textInput } = await import("./run-consultation.ts");
  const setup = consultSetup(flags);
  const record = await composeSwarm(flags, setup, {
    typed,
    read: (what) => textInput(typed, what),
    remark: (line) => tell(line),
  });
  await runConsultation(prepareSwarm(record, setup.context), setup, flags, record.plan.tasks.length);
}
