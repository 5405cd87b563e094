import type { CouncilChoices } from "@coppice/agents/council";
import type { Command } from "commander";
import { durationMs, numberUpTo, wholeNumber } from "../options/arguments.ts";
import { collected, type OptionRow } from "../options/option-table.ts";
import { asConsultation, type ConsultFlags } from "./options.ts";

interface CouncilFlags extends ConsultFlags, CouncilChoices {
  readonly questions?: boolean;
  readonly rank?: boolean;
  readonly attach?: readonly string[];
}

const rows: readonly OptionRow[] = [
  ["--preset <name>", "who sits on the council (comprehensive)", { conflicts: ["personas", "recruit"] }],
  ["--personas <list>", "who sits on the council, separated by commas", { conflicts: ["preset", "recruit"] }],
  [
    "--rank",
    "members answer, rank each other's answers without names, and a chair combines them",
    { conflicts: ["recruit", "maxRounds", "convergenceThreshold", "speculate", "answers"] },
  ],
  ["--attach <file>", "a file that follows the proposal as data; may be repeated", { read: collected }],
  ["--recruit", "choose the members by the words of the proposal"],
  ["--max-rounds <n>", "the most rounds; chosen by the proposal's words if absent", { read: wholeNumber(1, 20) }],
  [
    "--convergence-threshold <share>",
    "how much agreement is enough, 0 to 1; chosen by the proposal's words if absent",
    { read: numberUpTo(1) },
  ],
  ["--quorum <share>", "share of members that must answer", { read: numberUpTo(1), usual: 0.5 }],
  [
    "--abstain <rule>",
    "whether an abstention counts as a verdict",
    { choices: ["counts", "ignored"], usual: "counts" },
  ],
  ["--max-size <n>", "the most members, including those called in later", { read: wholeNumber(1, 100), usual: 8 }],
  ["--speculate", "begin the next round while the arbiter is still summing up this one", { onBy: "COPPICE_SPECULATE" }],
  ["--arbiter <model>", "the arbiter's model"],
  ["--arbiter-fallback <model>", "asked when the arbiter's model fails twice"],
  ["--answers <file>", "answers to members' questions: a JSON object that maps part of a question to its answer"],
  ["--search <directory>", "the directory in which members may have code looked up", { usual: "." }],
  ["--no-search", "do not look up code"],
  ["--no-questions", "do not ask you anything at the terminal"],
  ["--question-timeout <time>", "how long you have for an answer", { read: durationMs, usual: 300_000, shown: "5m" }],
  [
    "--seed <n>",
    "decides which model each member gets",
    { read: wholeNumber(0, Number.MAX_SAFE_INTEGER), usual: 0, env: "COPPICE_SEED" },
  ],
];

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

/** Adds `coppice council`. */
export function registerCouncil(program: Command): void {
  asConsultation(program.command("council"), rows, {
    description: "have several personas judge a proposal, in rounds, until they agree",
    argument: ["[proposal]", "the proposal; - or nothing reads standard input"],
    example: 'coppice council --demo --preset quick --speculate "Move the nightly jobs to a queue"',
  }).action(council);
}
