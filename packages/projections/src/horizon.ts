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

/** Finds horizons by either of their names, in the canonical order; says which one is unknown. */
export function horizonsNamed(names: readonly string[]): readonly Horizon[] | { readonly unknown: string } {
  const unknown = names.find((name) => !HORIZONS.some((h) => h.name === name || h.key === name));
  if (unknown !== undefined) return { unknown };
  return HORIZONS.filter((h) => names.includes(h.name) || names.includes(h.key));
}
