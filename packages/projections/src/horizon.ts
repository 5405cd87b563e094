import { UsageError } from "@coppice/engine/usage-error";

/** A forecast horizon: the weeks it is scored on and the file its configuration lives in. */
export interface Horizon {
  /** What people type. */
  readonly name: string;
  /** What results are filed under. */
  readonly key: string;
  readonly file: string;
  readonly title: string;
  /** First and last week; undefined for the rest-of-season horizon, which is seen from week 1. */
  readonly weeks: readonly [first: number, last: number] | undefined;
}

/** In the order configurations are generated and results recorded. */
export const HORIZONS: readonly Horizon[] = [
  { name: "ros", key: "ros", file: "draft_config.json", title: "Rest of season", weeks: undefined },
  { name: "1-5", key: "week_1_5", file: "week1-5.json", title: "Weeks 1-5", weeks: [1, 5] },
  { name: "6-9", key: "week_6_9", file: "week6-9.json", title: "Weeks 6-9", weeks: [6, 9] },
  { name: "10-13", key: "week_10_13", file: "week10-13.json", title: "Weeks 10-13", weeks: [10, 13] },
  { name: "14-17", key: "week_14_17", file: "week14-17.json", title: "Weeks 14-17", weeks: [14, 17] },
];

/** The horizons to work on: all, or those named by either of their names, in the usual order. */
export function chosenHorizons(names: readonly string[] | undefined): readonly Horizon[] {
  if (names === undefined) return HORIZONS;
  const unknown = names.find((name) => horizonNamed(name) === undefined);
  if (unknown !== undefined) {
    throw new UsageError(`unknown horizon ${unknown}: ${HORIZONS.map((h) => h.name).join(", ")}`);
  }
  if (names.length === 0) throw new UsageError("--horizons names no horizon");
  return HORIZONS.filter(({ name, key }) => names.includes(name) || names.includes(key));
}

export function horizonNamed(name: string): Horizon | undefined {
  return HORIZONS.find((horizon) => horizon.name === name || horizon.key === name);
}

/** What people call the horizon that results are filed under. */
export function horizonName(key: string): string {
  return HORIZONS.find((horizon) => horizon.key === key)?.name ?? key;
}
