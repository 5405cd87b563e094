import type { Domain, ParameterValue } from "../tournament/parameter.ts";
import { checkedSpace } from "./check-space.ts";
import type { Condition, NamedValues, SearchSpace, SpaceParameter } from "./search-space.ts";

/** A parameter in TypeScript; `Value` is what a point has for it. */
export interface Definition<Value, Always extends boolean = true> {
  readonly domain: Domain;
  readonly when?: readonly Condition[];
  /** Only for the compiler. */
  readonly value?: Value;
  readonly always?: Always;
}

type Definitions = Readonly<Record<string, Definition<unknown, boolean>>>;
type ValueOf<Part> = Part extends Definition<infer Value, boolean> ? Value : never;
type AlwaysIn<Parts> = {
  [Name in keyof Parts]: Parts[Name] extends Definition<unknown, true> ? Name : never;
}[keyof Parts];

/** The points of a space: what has a condition may be missing. */
export type PointOf<Parts> = { readonly [Name in AlwaysIn<Parts>]: ValueOf<Parts[Name]> } & {
  readonly [Name in Exclude<keyof Parts, AlwaysIn<Parts>>]?: ValueOf<Parts[Name]>;
};

/** A space whose points the compiler knows. */
export interface DefinedSpace<Values> extends SearchSpace {
  /** Only for the compiler. */
  readonly point?: Values;
}

/** Any number from min to max, or every `step` from min on. */
export function real(
  min: number,
  max: number,
  { log = false, step }: { readonly log?: boolean; readonly step?: number } = {},
): Definition<number> {
  return { domain: { kind: "real", min, max, ...(log ? { log } : {}), ...(step === undefined ? {} : { step }) } };
}

/** Whole numbers from min to max, or every `step` from min on. */
export function integer(
  min: number,
  max: number,
  { log = false, step = 1 }: { readonly log?: boolean; readonly step?: number } = {},
): Definition<number> {
  if (!log && step === 1) return { domain: { kind: "range", min, max, decimals: 0 } };
  return { domain: { kind: "real", min, max, step, ...(log ? { log } : {}) } };
}

/** One of some values. */
export function choice<const Value extends ParameterValue>(values: readonly Value[]): Definition<Value> {
  return { domain: { kind: "choice", values } };
}

/** Yes or no. */
export function boolean(): Definition<boolean> {
  return { domain: { kind: "choice", values: [false, true] } };
}

/** A parameter that exists only while others have these values: one each, or one of a list. */
export function when<Value>(
  others: Readonly<Record<string, ParameterValue | readonly ParameterValue[]>>,
  definition: Definition<Value, boolean>,
): Definition<Value, false> {
  return { domain: definition.domain, when: [...conditionsOf(others), ...(definition.when ?? [])] };
}

/** `{ a: 1, b: [2, 3] }` as conditions. */
export function conditionsOf(
  others: Readonly<Record<string, ParameterValue | readonly ParameterValue[]>>,
): readonly Condition[] {
  return Object.entries(others).map(([parameter, value]) => ({
    parameter,
    values: typeof value === "object" ? value : [value],
  }));
}

/** A space of named parameters; `allowed` says which points count, if not all do. */
export function defineSpace<const Parts extends Definitions>(
  parts: Parts,
  allowed?: (point: PointOf<Parts>) => boolean,
): DefinedSpace<PointOf<Parts>> {
  const parameters = Object.entries(parts).map(
    ([name, { domain, when }]): SpaceParameter => ({
      name,
      path: [name],
      domain,
      ...(when === undefined ? {} : { when }),
    }),
  );
  // Cast: the space has just the values that the definitions say.
  const holds = (values: NamedValues) => allowed?.(values as unknown as PointOf<Parts>) ?? true;
  return checkedSpace("the space", parameters, allowed === undefined ? [] : [{ says: "allowed", holds }]);
}
