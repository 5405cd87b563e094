import type { Random } from "@coppice/engine/evaluator";
import { flowsOf, type Regulation } from "../network/regulation.ts";
import { demandOf, LEAST_BINS, type RegulationSampler } from "./regulation-sampler.ts";

/** When two lines become one, its rate is at most this many times the demand: above that it would do nothing. */
const LOOSEST = 1.3;

/** One flow gets a line of its own; the rate is shared out by demand. Undefined if there is nothing to split. */
export function splitByFlow(line: Regulation, sampler: RegulationSampler, random: Random): Regulation[] | undefined {
  const flows = flowsOf(line.flows);
  if (flows.length < 2) return undefined;
  const alone = 1 << random.choice(flows);
  const counts = sampler.entrants(line.volume, line.fromBin, line.toBin);
  const share = demandOf(alone, counts) / demandOf(line.flows, counts);
  if (!(share > 0 && share < 1)) return undefined;
  const part = (set: number, of: number) => ({ ...line, flows: set, ratePerHour: atLeastOne(line.ratePerHour * of) });
  return [part(alone, share), part(line.flows ^ alone, 1 - share)];
}

/** The window is cut in two, one part a little faster and the other slower than before. */
export function splitByTime(line: Regulation, random: Random): Regulation[] | undefined {
  const bins = line.toBin - line.fromBin;
  if (bins < 2 * LEAST_BINS) return undefined;
  const cut = line.fromBin + random.integer(LEAST_BINS, bins - LEAST_BINS);
  const step = atLeastOne(line.ratePerHour * 0.1 * random.uniform()) * (random.uniform() < 0.5 ? 1 : -1);
  return [
    { ...line, toBin: cut, ratePerHour: atLeastOne(line.ratePerHour + step) },
    { ...line, fromBin: cut, ratePerHour: atLeastOne(line.ratePerHour - step) },
  ];
}

/** Two lines of one volume as one over both windows and all their flows, as strict as they are on average. */
export function merged(a: Regulation, b: Regulation, sampler: RegulationSampler, binsPerHour: number): Regulation {
  const fromBin = Math.min(a.fromBin, b.fromBin);
  const toBin = Math.max(a.toBin, b.toBin);
  const flows = a.flows | b.flows;
  const counts = sampler.entrants(a.volume, fromBin, toBin);
  const perHour = (set: number) => (demandOf(set, counts) * binsPerHour) / (toBin - fromBin);
  const strictness = ({ flows: set, ratePerHour }: Regulation) => ratePerHour / Math.max(1, perHour(set));
  const ratePerHour =
    a.flows === b.flows
      ? (a.ratePerHour + b.ratePerHour) / 2
      : perHour(flows) * Math.min(LOOSEST, (strictness(a) + strictness(b)) / 2);
  return { volume: a.volume, fromBin, toBin, flows, ratePerHour: atLeastOne(ratePerHour) };
}

function atLeastOne(rate: number): number {
  return Math.max(1, Math.round(rate));
}
