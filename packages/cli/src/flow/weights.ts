import { defaultWeights, readWeights, type Weights } from "@coppice/airspace";
import { UsageError } from "@coppice/engine/usage-error";
import type { Command } from "commander";
import { inputText } from "./input-text.ts";

export interface WeightFlags {
  readonly lambda?: string;
  readonly mu?: string;
  readonly weights?: string;
}

/** Gives a command the options that set the prices of the network objective. */
export function withWeights(command: Command): Command {
  return command
    .option("--lambda <price>", `price of a minute of delay (default: ${defaultWeights.delayMinute})`)
    .option("--mu <price>", `price of a line of the plan (default: ${defaultWeights.regulation})`)
    .option("--weights <file>", "prices as JSON; see docs/flow.md for the table");
}

/** The prices that the options, then the plan file, then the defaults give. */
export function chosenWeights(flags: WeightFlags, ofPlan?: Weights): Weights {
  const base =
    flags.weights === undefined ? (ofPlan ?? defaultWeights) : readWeights(inputText("--weights", flags.weights));
  return {
    ...base,
    ...(flags.lambda === undefined ? {} : { delayMinute: price("--lambda", flags.lambda) }),
    ...(flags.mu === undefined ? {} : { regulation: price("--mu", flags.mu) }),
  };
}

function price(option: string, text: string): number {
  const value = text.trim() === "" ? Number.NaN : Number(text);
  if (!(value >= 0 && value < Number.POSITIVE_INFINITY)) {
    throw new UsageError(`${option} ${JSON.stringify(text)}: a price must be a number from 0 up`);
  }
  return value;
}
