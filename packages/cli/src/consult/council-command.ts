import type { CouncilChoices } from "@coppice/agents/council";
import { type Command, Option } from "commander";
import { durationMs, numberUpTo, wholeNumber } from "../options/arguments.ts";
import { switchOption, withExample } from "../options/run-options.ts";
import { addConsultOptions, type ConsultFlags, collected } from "./options.ts";

interface CouncilFlags extends ConsultFlags, CouncilChoices {
  readonly questions?: boolean;
  readonly rank?: boolean;
  readonly attach?: readonly string[];
}

export function registerCouncil(program: Command): void {
  const command = program
    .command("council")
    .description("have several personas judge a proposal, in rounds, until they agree")
    .argument("[proposal]", "the proposal; - or nothing reads standard input")
    .addOption(
      new Option("--preset <name>", "who sits on the council (comprehensive)").conflicts(["personas", "recruit"]),
    )
    .addOption(
      new Option("--personas <list>", "who sits on the council, separated by commas").conflicts(["preset", "recruit"]),
    )
    .addOption(
      new Option(
        "--rank",
        "members answer, rank each other's answers without names, and a chair combines them",
      ).conflicts(["recruit", "maxRounds", "convergenceThreshold", "speculate", "answers"]),
    )
    .option("--attach <file>", "a file that follows the proposal as data; may be repeated", collected)
    .addOption(new Option("--recruit", "choose the members by the words of the proposal"))
    .addOption(
      new Option("--max-rounds <n>", "the most rounds; chosen by the proposal's words if absent").argParser(
        wholeNumber({ least: 1, most: 20 }),
      ),
    )
    .addOption(
      new Option(
        "--convergence-threshold <share>",
        "how much agreement is enough, 0 to 1; chosen by the proposal's words if absent",
      ).argParser(numberUpTo(1)),
    )
    .addOption(
      new Option("--quorum <share>", "share of members that must answer").argParser(numberUpTo(1)).default(0.5),
    )
    .addOption(
      new Option("--abstain <rule>", "whether an abstention counts as a verdict")
        .choices(["counts", "ignored"])
        .default("counts"),
    )
    .addOption(
      new Option("--max-size <n>", "the most members, including those called in later")
        .argParser(wholeNumber({ least: 1, most: 100 }))
        .default(8),
    )
    .addOption(
      switchOption(
        "--speculate",
        "begin the next round while the arbiter is still summing up this one",
        "COPPICE_SPECULATE",
      ),
    )
    .option("--arbiter <model>", "the arbiter's model")
    .option("--arbiter-fallback <model>", "asked when the arbiter's model fails twice")
    .option(
      "--answers <file>",
      "answers to members' questions: a JSON object that maps part of a question to its answer",
    )
    .option("--search <directory>", "the directory in which members may have code looked up", ".")
    .option("--no-search", "do not look up code")
    .option("--no-questions", "do not ask you anything at the terminal")
    .addOption(
      new Option("--question-timeout <time>", "how long you have for an answer")
        .argParser(durationMs)
        .default(300_000, "5m"),
    )
    .addOption(
      new Option("--seed <n>", "decides which model each member gets")
        .argParser(wholeNumber({ least: 0, most: Number.MAX_SAFE_INTEGER }))
        .default(0)
        .env("COPPICE_SEED"),
    );
  withExample(
    addConsultOptions(command),
    'coppice council --demo --preset quick --speculate "Move the nightly jobs to a queue"',
  ).action(council);
}

async function council(argument: string | undefined, flags: CouncilFlags): Promise<void> {
  const { composeCouncil, prepareCouncil } = await import("@coppice/agents/council");
  const { consultSetup, runConsultation, textInput, withAttachments } = await import("./run-consultation.ts");
  const setup = consultSetup(flags);
  const proposal = await withAttachments(await textInput(argument, "proposal"), flags.attach ?? []);
  if (flags.rank === true) {
    const { composeRanking, prepareRanking } = await import("@coppice/agents/ranking");
    const ranking = composeRanking(proposal, flags, setup);
    await runConsultation(prepareRanking(ranking, setup.context), setup, flags, ranking.setup.members.length);
    return;
  }
  const person = canAsk(flags);
  const record = composeCouncil(proposal, flags, setup, person);
  const { directory, questionMs } = record;
  const prepared = prepareCouncil(record, { consult: setup.context, directory, questionMs });
  // Questions and a display that redraws itself do not go together on one terminal.
  const quiet = flags.quiet === true || person;
  await runConsultation(prepared, setup, { ...flags, quiet }, 2 * flags.maxSize + 4);
}

/** A person is asked where there is one: at a terminal, unless the user does not want that or reads JSON. */
function canAsk({ questions, json }: CouncilFlags): boolean {
  return questions !== false && json !== true && process.stdin.isTTY === true && process.stderr.isTTY === true;
}
