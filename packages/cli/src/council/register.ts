import { type Command, Option } from "commander";
import { addConsultOptions, type ConsultFlags } from "../consult/options.ts";
import { numberUpTo } from "../options/bounded-number.ts";
import { durationMs } from "../options/duration.ts";
import { withExample } from "../options/example.ts";
import { switchOption } from "../options/switch.ts";
import { wholeNumber } from "../options/whole-number.ts";

export interface CouncilFlags extends ConsultFlags {
  readonly preset?: string;
  readonly personas?: string;
  readonly recruit?: boolean;
  readonly maxRounds?: number;
  readonly convergenceThreshold?: number;
  readonly quorum: number;
  readonly abstain: "counts" | "ignored";
  readonly maxSize: number;
  readonly speculate?: boolean;
  readonly arbiter?: string;
  readonly arbiterFallback?: string;
  readonly answers?: string;
  readonly search: string | false;
  readonly questions?: boolean;
  readonly questionTimeout: number;
  readonly seed: number;
}

/** Adds `coppice council`. */
export function registerCouncil(program: Command): void {
  const command = program
    .command("council")
    .description("have a proposal judged by several personas, in rounds, until they converge")
    .argument("[proposal]", "the proposal; - or nothing reads standard input")
    .addOption(new Option("--preset <name>", "who sits in it (comprehensive)").conflicts(["personas", "recruit"]))
    .addOption(new Option("--personas <list>", "who sits in it, separated by commas").conflicts(["preset", "recruit"]))
    .addOption(new Option("--recruit", "choose who sits in it by the words of the proposal"))
    .addOption(
      new Option("--max-rounds <n>", "rounds at most; by the proposal's words if absent").argParser(
        wholeNumber({ least: 1, most: 20 }),
      ),
    )
    .addOption(
      new Option(
        "--convergence-threshold <share>",
        "agreement that is enough; by the proposal's words if absent",
      ).argParser(numberUpTo(1)),
    )
    .addOption(
      new Option("--quorum <share>", "share of members that must answer").argParser(numberUpTo(1)).default(0.5),
    )
    .addOption(
      new Option("--abstain <rule>", "whether abstaining is a verdict like any other")
        .choices(["counts", "ignored"])
        .default("counts"),
    )
    .addOption(
      new Option("--max-size <n>", "members at most, those called in included")
        .argParser(wholeNumber({ least: 1, most: 100 }))
        .default(8),
    )
    .addOption(
      switchOption("--speculate", "begin the next round while the arbiter still sums up this one", "COPPICE_SPECULATE"),
    )
    .option("--arbiter <model>", "the arbiter's model")
    .option("--arbiter-fallback <model>", "asked when the arbiter's model fails twice")
    .option(
      "--answers <file>",
      "answers to questions of members: a JSON object from a part of the question to the answer",
    )
    .option("--search <directory>", "where members may have code looked up", ".")
    .option("--no-search", "look nothing up")
    .option("--no-questions", "ask nobody at the terminal")
    .addOption(
      new Option("--question-timeout <time>", "how long you have for an answer")
        .argParser(durationMs)
        .default(300_000, "5m"),
    )
    .addOption(
      new Option("--seed <n>", "of dealing models to members")
        .argParser(wholeNumber({ least: 0, most: Number.MAX_SAFE_INTEGER }))
        .default(0)
        .env("COPPICE_SEED"),
    );
  withExample(
    addConsultOptions(command),
    'coppice council --demo --preset quick --speculate "Move the nightly jobs to a queue"',
  ).action(async (proposal: string | undefined, flags: CouncilFlags) => {
    const { council } = await import("./council.ts");
    await council(proposal, flags);
  });
}
