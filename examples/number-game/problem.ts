import type { Problem } from "@coppice/search";

/** Numbers on the table, smallest first. */
export type Table = readonly number[];

/** Two numbers of the table become one. */
export interface Combine {
  readonly first: number;
  readonly second: number;
  readonly sign: "+" | "-" | "×" | "÷";
}

/** Reach a target from a few numbers, combining two at a time. Equal tables are one state, however they came about. */
export function numberGame(numbers: readonly number[]): Problem<Table, Combine> {
  return {
    root: numbers.toSorted((a, b) => a - b),
    actions: (table) =>
      table.flatMap((first, i) =>
        table
          .slice(0, i)
          .flatMap((second) =>
            (["+", "-", "×", "÷"] as const)
              .map((sign) => ({ first, second, sign }))
              .filter(({ sign }) =>
                sign === "÷" ? second > 1 && first % second === 0 : sign !== "-" || first > second,
              ),
          ),
      ),
    step: (table, { first, second, sign }) => {
      const rest = [...table];
      for (const used of [first, second]) rest.splice(rest.indexOf(used), 1);
      const made = { "+": first + second, "-": first - second, "×": first * second, "÷": first / second }[sign];
      return [...rest, made].sort((a, b) => a - b);
    },
    isTerminal: (table) => table.length === 1,
    key: (table) => table.join(" "),
  };
}
