import type { RunRow } from "../../src/wire.ts";

export const columns = ["id", "tool", "state", "progress", "best", "duration", "started", "digest"] as const;
export type Column = (typeof columns)[number];

/** What the reader wants to see of the list. */
export interface Choice {
  readonly search: string;
  readonly state: string;
  readonly tool: string;
  readonly sort: Column;
  readonly descending: boolean;
}

const collator = new Intl.Collator("en", { numeric: true });

/** The rows of the choice, in its order; of equals the newer one comes first. */
export function chosen(runs: readonly RunRow[], { search, state, tool, sort, descending }: Choice): RunRow[] {
  const wanted = search.trim().toLowerCase();
  const kept = runs.filter(
    (run) =>
      (state === "" || run.state === state) &&
      (tool === "" || run.tool === tool) &&
      (wanted === "" || textOf(run).includes(wanted)),
  );
  const way = descending ? -1 : 1;
  return kept.sort(
    (a, b) => way * compare(sortValue(a, sort), sortValue(b, sort)) || compare(b.startedAt, a.startedAt),
  );
}

function textOf({ id, tool, state, digest, message, marks }: RunRow): string {
  return [id, tool, state, digest, message, marks.note, ...marks.tags].join(" ").toLowerCase();
}

function sortValue(run: RunRow, column: Column): string | number | undefined {
  switch (column) {
    case "id":
    case "tool":
    case "state":
    case "digest":
    case "best":
      return run[column];
    case "progress":
      return run.fraction ?? run.tells;
    case "duration":
      return run.tookMs;
    case "started":
      return run.startedAt;
    default:
      return column satisfies never;
  }
}

/** What is missing comes last. */
function compare(a: string | number | undefined, b: string | number | undefined): number {
  if (a === undefined || b === undefined) return a === b ? 0 : a === undefined ? 1 : -1;
  return typeof a === "number" && typeof b === "number" ? a - b : collator.compare(String(a), String(b));
}
