import { type Command, Option } from "commander";
import { addBatchOptions } from "../consult/options.ts";
import { withExample } from "../options/example.ts";
import { wholeNumber } from "../options/whole-number.ts";
import type { AskFlags } from "./ask.ts";

/** Adds `coppice ask`. */
export function registerAsk(program: Command): void {
  const command = program
    .command("ask")
    .description("ask language models: one question, many personas at once, answers in the order asked")
    .argument("[question]", "the question or proposal; - or nothing reads standard input")
    .option("--batch <list>", "personas or presets, separated by commas: judge,critic or quick,legal")
    .addOption(new Option("--preset <name>", "quick, comprehensive, security, technical or all").conflicts("batch"))
    .addOption(new Option("--all", "every adviser").conflicts(["batch", "preset"]))
    .addOption(
      new Option("--custom-prompt <text>", "someone you describe yourself").conflicts(["batch", "preset", "all"]),
    )
    .addOption(
      new Option("--stance <side>", "argue for the proposal, against it, or neither")
        .choices(["for", "against", "neutral"])
        .default("neutral"),
    )
    .addOption(
      new Option("--steps <n>", "ask each again, up to n times, until it is sure enough")
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
  ).action(async (question: string | undefined, flags: AskFlags) => {
    const { ask } = await import("./ask.ts");
    await ask(question, flags);
  });
}
