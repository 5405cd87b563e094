import { isRecord } from "@coppice/engine/values";

/** A configuration: plain JSON. */
export type Configuration = Readonly<Record<string, unknown>>;

/** A value a parameter can take. */
export type ParameterValue = number | string | boolean;

/** One thing to tune: where it lives in a configuration and which values it may take. */
export interface Parameter {
  readonly name: string;
  /** Keys from the configuration's top to the value. */
  readonly path: readonly string[];
  readonly domain: Domain;
}

/** Which values a parameter can have. */
export type Domain =
  /** Numbers from min to max with this many digits after the point; 0 means whole numbers. */
  | { readonly kind: "range"; readonly min: number; readonly max: number; readonly decimals: number }
  /** Numbers from min to max: all of them, or min and every `step` above it; `log` gives small ones as much room as large ones. */
  | {
      readonly kind: "real";
      readonly min: number;
      readonly max: number;
      readonly log?: boolean;
      readonly step?: number;
    }
  | { readonly kind: "choice"; readonly values: readonly ParameterValue[] };

/** The value at a parameter's place; undefined when the configuration has none. */
export function valueAt(configuration: Configuration, path: readonly string[]): unknown {
  let at: unknown = configuration;
  for (const key of path) {
    if (!isRecord(at) || !Object.hasOwn(at, key)) return undefined;
    at = at[key];
  }
  return at;
}

/** A copy of the configuration with another value at the parameter's place; what is not on the way is shared. */
export function withValue(configuration: Configuration, path: readonly string[], value: unknown): Configuration {
  const [key, ...rest] = path;
  if (key === undefined) throw new RangeError("a parameter needs a path of at least one key");
  if (rest.length === 0) return { ...configuration, [key]: value };
  const inner = Object.hasOwn(configuration, key) ? configuration[key] : undefined;
  return { ...configuration, [key]: withValue(isRecord(inner) ? inner : {}, rest, value) };
}

/** A copy of the configuration with nothing at the parameter's place, nor around it where nothing else is. */
export function withoutValue(configuration: Configuration, path: readonly string[]): Configuration {
  const [key, ...rest] = path;
  const { [key]: inner, ...others } = configuration;
  if (rest.length === 0 || !isRecord(inner)) return others;
  const left = withoutValue(inner, rest);
  return Object.keys(left).length === 0 ? others : { ...configuration, [key]: left };
}

/** Freezes a configuration with all its parts: what cannot change is written down once, however often it is sent. */
export function freezeDeep<Value>(value: Value): Value {
  if (typeof value !== "object" || value === null || Object.isFrozen(value)) return value;
  for (const part of Object.values(value)) freezeDeep(part);
  return Object.freeze(value);
}

/** Whether a value lies in a domain; says what would be right when it does not. */
export function outsideDomain(domain: Domain, value: unknown): string | undefined {
  if (domain.kind === "choice") {
    return domain.values.some((choice) => Object.is(choice, value)) ? undefined : `one of ${domain.values.join(", ")}`;
  }
  const { min, max } = domain;
  const inside = typeof value === "number" && value >= min && value <= max;
  return inside ? undefined : `a number from ${min} to ${max}`;
}
