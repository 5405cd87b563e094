import type { AskChoices } from "@coppice/agents/ask";
import type { Command } from "commander";
import { wholeNumber } from "../options/arguments.ts";
import { collected, type OptionRow } from "../options/option-table.ts";
import { print, printAnswer } from "../print.ts";
import { asConsultation, type ConsultFlags, minSuccess } from "./options.ts";

type AskFlags = ConsultFlags &
  AskChoices & { readonly list?: boolean; readonly plain?: boolean; readonly continue?: string | true };

const rows: readonly OptionRow[] = [
  ["--batch <list>", "personas or presets, separated by commas: judge,critic or quick,legal"],
  ["--preset <name>", "quick, comprehensive, security, technical or all", { conflicts: ["batch"] }],
  ["--all", "every adviser", { conflicts: ["batch", "preset"] }],
  ["--custom-prompt <text>", "a persona that you describe yourself", { conflicts: ["batch", "preset", "all"] }],
  [
    "--stance <side>",
    "argue for the proposal, against it, or neither",
    { choices: ["for", "against", "neutral"], usual: "neutral" },
  ],
  ["--steps <n>", "ask each one again, up to n times, until it is sure enough", { read: wholeNumber(1, 20), usual: 1 }],
  [
    "--target-confidence <level>",
    "how sure is sure enough (high)",
    { choices: ["exploring", "low", "medium", "high", "certain"] },
  ],
  ["--attach <file>", "a file that follows the question as data; may be repeated", { read: collected }],
  ["--schema <file>", "a JSON Schema that the answer must match, or a file with one; repaired once if it does not"],
  [
    "--continue [run]",
    "ask those who answered in the last run, or in this one, a further question",
    { conflicts: ["batch", "preset", "all", "customPrompt"] },
  ],
  ["--plain", "only the answer on standard output, as when it is piped"],
  ["--list", "list the personas and presets"],
  minSuccess,
];

/** Everything is checked before the first request. */
async function ask(argument: string | undefined, flags: AskFlags): Promise<void> {
  const { composeAsk, prepareAsk, streamed } = await import("@coppice/agents/ask");
  const { consultSetup, runConsultation, textInput } = await import("./run-consultation.ts");
  const { earlierAsk } = await import("./earlier-ask.ts");
  const { earlier, typed } = earlierAsk(flags.continue, argument, flags.runDir);
  const setup = consultSetup(flags);
  if (flags.list === true) {
    const { personasDocument, personasText } = await import("@coppice/agents/personas");
    printAnswer(flags.json, personasDocument(setup.library), () => personasText(setup.library));
    return;
  }
  const record = await composeAsk(flags, setup, (what) => textInput(typed, what), earlier);
  const prepared = prepareAsk(record, setup.context);
  const atOnce = record.question.respondents.length;
  const live = process.stdout.isTTY && flags.plain !== true && flags.json !== true;
  let midLine = false;
  const write = (text: string): void => {
    if (text === "") return;
    print(text);
    midLine = !text.endsWith("\n");
  };
  const shown = live ? streamed(prepared, record, setup.context, write) : undefined;
  if (shown === undefined) await runConsultation(prepared, setup, flags, atOnce);
  else {
    // A display that redraws itself and an answer that is being written do not go together on one terminal.
    const { troubleReader } = await import("./trouble-reader.ts");
    const endLine = (): void => {
      if (midLine) write("\n");
    };
    await runConsultation({ ...shown, display: () => troubleReader(endLine) }, setup, flags, atOnce);
  }
}

/** Adds `coppice ask`. */
export function registerAsk(program: Command): void {
  asConsultation(program.command("ask"), rows, {
    description: "ask language models: one question, many personas at once, answers in the order you named them",
    argument: ["[question]", "the question or proposal; - or nothing reads standard input"],
    example: 'coppice ask --demo --batch judge,critic,skeptic "Should we rewrite the scheduler in Rust?"',
  }).action(ask);
}
