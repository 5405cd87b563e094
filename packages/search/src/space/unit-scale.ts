import type { Domain, ParameterValue } from "../tournament/parameter.ts";

/** Where the values of a domain lie between 0 and 1. A domain with a last value has a cell of [0, 1] for each. */

type Real = Extract<Domain, { kind: "real" }>;

/** How many values a domain has; Infinity when all numbers of a range are in it. */
export function sizeOf(domain: Domain): number {
  if (domain.kind === "choice") return domain.values.length;
  const { min, max } = domain;
  if (domain.kind === "range") return Math.round((max - min) * 10 ** domain.decimals) + 1;
  if (domain.step !== undefined) return Math.floor((max - min) / domain.step + 1e-9) + 1;
  return min === max ? 1 : Number.POSITIVE_INFINITY;
}

/** The value number `index` of a domain that can be counted. */
export function nthValue(domain: Domain, index: number): ParameterValue {
  if (domain.kind === "choice") return domain.values[index];
  // What is rounded to -0.0 is 0.
  if (domain.kind === "range") return Number((domain.min + index / 10 ** domain.decimals).toFixed(domain.decimals)) + 0;
  // Twelve digits: what adding 0.1 thirty times leaves behind is not meant.
  const value = Number((domain.min + index * (domain.step ?? 0)).toPrecision(12));
  return Math.min(domain.max, Math.max(domain.min, value));
}

/** The value at a place between 0 and 1; places outside count as the nearest inside. */
export function fromUnit(domain: Domain, unit: number): ParameterValue {
  const place = Math.min(1, Math.max(0, unit));
  if (domain.kind !== "real" || (domain.step !== undefined && domain.log !== true)) {
    return nthValue(domain, cellIndex(place, sizeOf(domain)));
  }
  const { min, max, log = false, step } = domain;
  if (!log) return min + (max - min) * place;
  const [low, high] = logEdges(domain);
  const value = Math.exp(low + (high - low) * place);
  if (step === undefined) return Math.min(max, Math.max(min, value));
  return nthValue(domain, Math.min(sizeOf(domain) - 1, Math.max(0, Math.round((value - min) / step))));
}

/** The place of a value: the middle of its cell where the domain has cells. */
export function toUnit(domain: Domain, value: ParameterValue): number {
  if (domain.kind === "choice") return (domain.values.indexOf(value) + 0.5) / domain.values.length;
  const { min, max } = domain;
  const at = Number(value);
  if (min === max) return 0.5;
  if (domain.kind === "real" && domain.log === true) {
    const [low, high] = logEdges(domain);
    return (Math.log(at) - low) / (high - low);
  }
  const size = sizeOf(domain);
  return size === Number.POSITIVE_INFINITY
    ? (at - min) / (max - min)
    : (Math.round(((at - min) / (lastOf(domain) - min || 1)) * (size - 1)) + 0.5) / size;
}

/** The ends of a value's cell; undefined where values are too many to have one that matters. */
export function cellOf(domain: Domain, value: ParameterValue): readonly [low: number, high: number] | undefined {
  const size = sizeOf(domain);
  if (size > MOST_CELLS) return undefined;
  if (domain.kind === "real" && domain.log === true && domain.step !== undefined) {
    const [low, high] = logEdges(domain);
    const edge = (at: number) =>
      Math.min(1, Math.max(0, (Math.log(Math.max(at, Number.MIN_VALUE)) - low) / (high - low)));
    return [edge(Number(value) - domain.step / 2), edge(Number(value) + domain.step / 2)];
  }
  const middle = toUnit(domain, value);
  return [middle - 0.5 / size, middle + 0.5 / size];
}

/** Finer domains are treated like all numbers of their range. */
const MOST_CELLS = 100;

function cellIndex(place: number, size: number): number {
  return Math.min(size - 1, Math.floor(place * size));
}

function lastOf(domain: Exclude<Domain, { kind: "choice" }>): number {
  return Number(nthValue(domain, sizeOf(domain) - 1));
}

/** The logarithmic scale's ends; with steps, half a step beyond the first and last value, so that these get a whole cell. */
function logEdges(domain: Real): readonly [low: number, high: number] {
  const { min, max, step } = domain;
  if (step === undefined) return [Math.log(min), Math.log(max)];
  const below = min - step / 2;
  return [Math.log(below > 0 ? below : min / 2), Math.log(lastOf(domain) + step / 2)];
}
