import type { SwarmChoices } from "@coppice/agents/swarm";
import type { Command } from "commander";
import { wholeNumber } from "../options/arguments.ts";
import type { OptionRow } from "../options/option-table.ts";
import { tell } from "../print.ts";
import { asConsultation, type ConsultFlags, minSuccess } from "./options.ts";

type SwarmFlags = ConsultFlags & SwarmChoices;

const count = wholeNumber(1, 1000);

const rows: readonly OptionRow[] = [
  ["--analyze <question>", "one view per persona"],
  ["--generate <n>", "n ideas, each with a different focus; near duplicates are grouped", { read: count }],
  ["--review <globs...>", "one review per file, findings counted by severity"],
  ["--test-cases <n>", "n test cases, of four kinds in turn", { read: count }],
  ["--batch <n>", "the same prompt n times", { read: count }],
  [
    "--personas <list>",
    "with --analyze: names separated by commas; a name that is not a persona is taken as a field of expertise",
  ],
  ["--focus <what>", "with --review: what to look for above all"],
  ["--file <path>", "with --test-cases: the file to test, instead of a text"],
  ["--custom-prompt <text>", "with --batch: the system prompt"],
  ["--max-file-bytes <n>", "larger files are skipped and listed", { read: wholeNumber(1, 10_000_000), usual: 200_000 }],
  [
    "--requests-per-minute <n>",
    "the most requests per minute, whatever the models file says",
    { read: wholeNumber(1, 1_000_000) },
  ],
  minSuccess,
];

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

/** Adds `coppice swarm`. */
export function registerSwarm(program: Command): void {
  asConsultation(program.command("swarm"), rows, {
    description: "many prompts at once: views, ideas, reviews of files, test cases, or one prompt many times",
    argument: ["[text]", "what --generate, --test-cases and --batch are about; - or nothing reads standard input"],
    example: 'coppice swarm --demo --generate 20 "names for a tool that finds slow queries"',
  }).action(swarm);
}
