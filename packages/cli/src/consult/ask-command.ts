import type { AskChoices } from "@coppice/agents/ask";
import { type Command, Option } from "commander";
import { wholeNumber } from "../options/arguments.ts";
import { withExample } from "../options/run-options.ts";
import { printAnswer } from "../print.ts";
import { addBatchOptions, type ConsultFlags } from "./options.ts";

type AskFlags = ConsultFlags & AskChoices & { readonly list?: boolean };

export function registerAsk(program: Command): void {
  const command = program
    .command("ask")
    .description("ask language models: one question, many personas at once, answers in the order you named them")
    .argument("[question]", "the question or proposal; - or nothing reads standard input")
    .option("--batch <list>", "personas or presets, separated by commas: judge,critic or quick,legal")
    .addOption(new Option("--preset <name>", "quick, comprehensive, security, technical or all").conflicts("batch"))
    .addOption(new Option("--all", "every adviser").conflicts(["batch", "preset"]))
    .addOption(
      new Option("--custom-prompt <text>", "a persona that you describe yourself").conflicts([
        "batch",
        "preset",
        "all",
      ]),
    )
    .addOption(
      new Option("--stance <side>", "argue for the proposal, against it, or neither")
        .choices(["for", "against", "neutral"])
        .default("neutral"),
    )
    .addOption(
      new Option("--steps <n>", "ask each one again, up to n times, until it is sure enough")
        .argParser(wholeNumber({ least: 1, most: 20 }))
        .default(1),
    )
    .addOption(
      new Option("--target-confidence <level>", "how sure is sure enough (high)").choices([
        "exploring",
        "low",
        "medium",
        "high",
        "certain",
      ]),
    )
    .option("--list", "list the personas and presets");
  withExample(
    addBatchOptions(command),
    'coppice ask --demo --batch judge,critic,skeptic "Should we rewrite the scheduler in Rust?"',
  ).action(ask);
}

/** Everything is checked before the first request. */
async function ask(typed: string | undefined, flags: AskFlags): Promise<void> {
  const { composeAsk, prepareAsk } = await import("@coppice/agents/ask");
  const { consultSetup, runConsultation, textInput } = await import("./run-consultation.ts");
  const setup = consultSetup(flags);
  if (flags.list === true) {
    const { personasDocument, personasText } = await import("@coppice/agents/personas");
    printAnswer(flags.json, personasDocument(setup.library), () => personasText(setup.library));
    return;
  }
  const record = await composeAsk(flags, setup, (what) => textInput(typed, what));
  await runConsultation(prepareAsk(record, setup.context), setup, flags, record.question.respondents.length);
}
