import type { HorizonAccuracy } from "../accuracy/accuracy.ts";

/** What a tournament keeps of a configuration on one horizon: small, because there are thousands of them. */
export interface HorizonResult {
  readonly mae: number;
  readonly player_count: number;
  readonly total_error: number;
  /** Overall pairwise accuracy; absent when only the error was asked for, null when undefined. */
  readonly pairwise_accuracy?: number | null;
  readonly per_season_pairwise?: Readonly<Record<string, number | null>>;
}

export function horizonResult({ aggregate }: HorizonAccuracy): HorizonResult {
  const { mae, player_count, total_error, overall, per_season_pairwise } = aggregate;
  if (overall === undefined || per_season_pairwise === undefined) return { mae, player_count, total_error };
  return { mae, player_count, total_error, pairwise_accuracy: overall.pairwise_accuracy, per_season_pairwise };
}
