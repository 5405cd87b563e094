import { inline, type PoolFactory, processes, threads, UsageError } from "@coppice/engine";
import type { PoolKind, WorkOptions } from "./work-options.ts";

/** The pool that `--pool` and `--workers` ask for. */
export function poolOf(
  { pool, workers }: Pick<WorkOptions, "pool" | "workers">,
  otherwise: PoolKind = "threads",
): PoolFactory {
  const kind = pool ?? otherwise;
  switch (kind) {
    case "inline":
      if (workers !== "auto" && workers > 1) {
        throw new UsageError(`--pool inline evaluates one at a time: leave --workers ${workers} out, or use threads`);
      }
      return inline();
    case "threads":
      return threads({ workers });
    case "processes":
      return processes({ workers });
    default:
      return kind satisfies never;
  }
}
