import { type Command, Option } from "commander";
import { addBatchOptions } from "../consult/options.ts";
import { withExample } from "../options/example.ts";
import { wholeNumber } from "../options/whole-number.ts";
import type { SwarmFlags } from "./swarm.ts";

/** Adds `coppice swarm`. */
export function registerSwarm(program: Command): void {
  const count = wholeNumber({ least: 1, most: 1000 });
  const command = program
    .command("swarm")
    .description("many prompts at once: views, ideas, reviews of files, test cases, or one prompt many times")
    .argument("[text]", "what --generate, --test-cases and --batch are about; - or nothing reads standard input")
    .option("--analyze <question>", "one view per persona")
    .option("--generate <n>", "n ideas, each with another focus; nearly equal ones are put together", count)
    .option("--review <globs...>", "one review per file, findings counted by severity")
    .option("--test-cases <n>", "n test cases of four kinds in turn", count)
    .option("--batch <n>", "the same prompt n times", count)
    .option("--personas <list>", "with --analyze: names separated by commas; unknown ones are fields of knowledge")
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
  ).action(async (text: string | undefined, flags: SwarmFlags) => {
    const { swarm } = await import("./swarm.ts");
    await swarm(text, flags);
  });
}
