import { UsageError } from "@coppice/engine/usage-error";
import { z } from "zod";
import { type InputText, readInput, readJson } from "../import/input-text.ts";

const weight = z.number().min(0);

/**
 * What the parts of the network objective cost.
 *
 * | weight          | unit                                       | default | part                                                  |
 * | --------------- | ------------------------------------------ | ------- | ----------------------------------------------------- |
 * | exceedance      | per flight over capacity in a rolling hour | 1       | sum over all volumes and bins of max(0, hour - cap)   |
 * | delayMinute     | per minute of delay                        | 0.02    | sum over all flights                                  |
 * | regulation      | per line of the plan                       | 5       | number of lines                                       |
 * | regularity      | per flight moved to another bin            | 0       | sum of abs(released - wanted) per line and bin        |
 * | smoothness      | per flight of change from bin to bin       | 0       | variation of released minus variation of wanted       |
 * | share           | per unit of share moved between lines      | 0       | half sum of abs(share released - share wanted)        |
 *
 * The last three compare what a line releases with the demand it meets, so that an empty plan costs its exceedance alone.
 */
export const weightsShape = z.strictObject({
  exceedance: weight.default(1),
  delayMinute: weight.default(0.02),
  regulation: weight.default(5),
  regularity: weight.default(0),
  smoothness: weight.default(0),
  share: weight.default(0),
});

/** Prices of the network objective; stored with every result. */
export type Weights = Readonly<z.infer<typeof weightsShape>>;

export const defaultWeights: Weights = weightsShape.parse({});

const weightNames = weightsShape.keyof().options;

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

/** Prices in words; those of parts that cost nothing are left out. */
export function pricesText(weights: Weights): string {
  const parts = [
    [weights.exceedance, "per flight above capacity"],
    [weights.delayMinute, "per minute of delay"],
    [weights.regulation, "per regulation"],
    [weights.regularity, "for regularity"],
    [weights.smoothness, "for smoothness"],
    [weights.share, "for share"],
  ] as const;
  return parts.flatMap(([price, of]) => (price === 0 ? [] : [`${price} ${of}`])).join(", ");
}

/** Whether two sets of prices are the same. */
export function samePrices(a: Weights, b: Weights): boolean {
  return weightNames.every((name) => a[name] === b[name]);
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
