import type { DigestChoices } from "@coppice/agents/digest";
import { type Command, Option } from "commander";
import { wholeNumber } from "../options/arguments.ts";
import { withExample } from "../options/run-options.ts";
import { addBatchOptions, type ConsultFlags } from "./options.ts";

type DigestFlags = ConsultFlags & DigestChoices;

export function registerDigest(program: Command): void {
  const command = program
    .command("digest")
    .description("ask one question about many files: each is read by a separate request, and short summaries come back")
    .argument("<files...>", "text files")
    .option("--question <text>", "what you want to know (what each file is for, and what matters in it)")
    .addOption(
      new Option("--max-lines <n>", "the most lines in a summary")
        .argParser(wholeNumber({ least: 1, most: 10_000 }))
        .default(50),
    )
    .addOption(
      new Option("--max-words <n>", "the most words in a summary")
        .argParser(wholeNumber({ least: 5, most: 100_000 }))
        .default(200),
    )
    .addOption(
      new Option(
        "--window <characters>",
        "the most of a file that one request may hold; longer files are read in parts",
      )
        .argParser(wholeNumber({ least: 1000, most: 100_000_000 }))
        .default(200_000),
    )
    .addOption(
      new Option("--max-bytes <n>", "longer files are not read")
        .argParser(wholeNumber({ least: 1, most: 1_000_000_000 }))
        .default(5_000_000),
    )
    .option("--fresh", "ask again, even where a summary is known")
    .addOption(
      new Option("--summaries <folder>", "where summaries are kept, by content, question and model").default(
        ".coppice/digests",
      ),
    );
  withExample(
    addBatchOptions(command),
    'coppice digest --demo README.md docs/*.md --question "What does a newcomer need first?"',
  ).action(digest);
}

async function digest(files: readonly string[], flags: DigestFlags): Promise<void> {
  const { composeDigest, prepareDigest } = await import("@coppice/agents/digest");
  const { consultSetup, runConsultation } = await import("./run-consultation.ts");
  const setup = consultSetup(flags);
  const { record, sources } = await composeDigest(files, flags, setup);
  const prepared = await prepareDigest(record, setup.context, sources);
  await runConsultation(prepared, setup, flags, flags.concurrency);
}
