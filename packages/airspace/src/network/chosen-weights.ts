import { UsageError } from "@coppice/engine/usage-error";
import { z } from "zod";
import { type InputText, readInput, readJson } from "../import/input-text.ts";
import { defaultWeights, type Weights } from "./weights.ts";

const weight = (usual: number) => z.number().min(0).max(1e9).default(usual);

/** {@link Weights} as files have them. */
export const weightsShape = z.strictObject({
  exceedance: weight(defaultWeights.exceedance),
  delayMinute: weight(defaultWeights.delayMinute),
  regulation: weight(defaultWeights.regulation),
  regularity: weight(defaultWeights.regularity),
  smoothness: weight(defaultWeights.smoothness),
  share: weight(defaultWeights.share),
});

/** How people choose prices: two of them by number, all of them by a file. */
export interface PriceChoice {
  readonly lambda?: string;
  readonly mu?: string;
  readonly weights?: string;
}

/** The prices that were chosen; what was not is as the plan's file says, or as usual. */
export function chosenWeights({ lambda, mu, weights }: PriceChoice, ofPlan?: Weights): Weights {
  const base = weights === undefined ? (ofPlan ?? defaultWeights) : readWeights(readInput("--weights", weights));
  return {
    ...base,
    ...(lambda === undefined ? {} : { delayMinute: readPrice("--lambda", lambda) }),
    ...(mu === undefined ? {} : { regulation: readPrice("--mu", mu) }),
  };
}

function readPrice(option: string, text: string): number {
  const value = text.trim() === "" ? Number.NaN : Number(text);
  if (!(value >= 0 && value < Number.POSITIVE_INFINITY)) {
    throw new UsageError(`${option} ${JSON.stringify(text)}: a price must be a number of at least 0`);
  }
  return value;
}

/** Reads prices from a file; what it leaves out keeps its default. */
function readWeights(file: InputText): Weights {
  return readJson(file.text, file.source, weightsShape);
}
