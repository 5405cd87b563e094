import type { DigestChoices } from "@coppice/agents/digest";
import type { Command } from "commander";
import { wholeNumber } from "../options/arguments.ts";
import type { OptionRow } from "../options/option-table.ts";
import { asConsultation, type ConsultFlags, minSuccess } from "./options.ts";

type DigestFlags = ConsultFlags & DigestChoices;

const rows: readonly OptionRow[] = [
  ["--question <text>", "what you want to know (what each file is for, and what matters in it)"],
  ["--max-lines <n>", "the most lines in a summary", { read: wholeNumber(1, 10_000), usual: 50 }],
  ["--max-words <n>", "the most words in a summary", { read: wholeNumber(5, 100_000), usual: 200 }],
  [
    "--window <characters>",
    "the most of a file that one request may hold; longer files are read in parts",
    { read: wholeNumber(1000, 100_000_000), usual: 200_000 },
  ],
  ["--max-bytes <n>", "longer files are not read", { read: wholeNumber(1, 1_000_000_000), usual: 5_000_000 }],
  ["--fresh", "ask again, even where a summary is known"],
  ["--summaries <folder>", "where summaries are kept, by content, question and model", { usual: ".coppice/digests" }],
  minSuccess,
];

async function digest(files: readonly string[], flags: DigestFlags): Promise<void> {
  const { composeDigest, prepareDigest } = await import("@coppice/agents/digest");
  const { consultSetup, runConsultation } = await import("./run-consultation.ts");
  const setup = consultSetup(flags);
  const { record, sources } = await composeDigest(files, flags, setup);
  const prepared = await prepareDigest(record, setup.context, sources);
  await runConsultation(prepared, setup, flags, flags.concurrency);
}

/** Adds `coppice digest`. */
export function registerDigest(program: Command): void {
  asConsultation(program.command("digest"), rows, {
    description: "ask one question about many files: each is read by a separate request, and short summaries come back",
    argument: ["<files...>", "text files"],
    example: 'coppice digest --demo README.md docs/*.md --question "What does a newcomer need first?"',
  }).action(digest);
}
