import { readHistory } from "@coppice/engine/records";
import { decode } from "@coppice/engine/values";
import { readBack } from "../models/consultation.ts";
import type { CouncilValue } from "./candidate.ts";

/** Work that was started early for a round that never came to be. */
export interface SpeculativeWaste {
  /** Requests that were under way or answered. */
  readonly calls: number;
  /** Those whose answer had come already, and what they cost in US dollars. */
  readonly answered: number;
  readonly cost: number;
  /** Those that were stopped. */
  readonly aborted: number;
}

/** Counts it from a run's journal, all sessions together: what was withdrawn and never asked again. */
export function speculativeWaste(journal: string): SpeculativeWaste {
  const started = new Set<number>();
  const costs = new Map<string, number>();
  const { askKeys, withdrawn } = readHistory(journal, (entry) => {
    if (entry.type === "started") for (const ask of entry.asks) started.add(ask);
    if (entry.type === "completed") costs.set(entry.key, costOf(entry.value));
  });
  const needed = new Set(askKeys.filter((_, ask) => !withdrawn.has(ask)));
  const wasted = new Map<string, boolean>();
  for (const ask of withdrawn) {
    const key = askKeys[ask];
    if (key !== undefined && !needed.has(key)) wasted.set(key, (wasted.get(key) ?? false) || started.has(ask));
  }
  const answered = [...wasted.keys()].filter((key) => costs.has(key));
  const aborted = [...wasted].filter(([key, begun]) => begun && !costs.has(key)).length;
  return {
    calls: answered.length + aborted,
    answered: answered.length,
    cost: answered.reduce((sum, key) => sum + (costs.get(key) ?? 0), 0),
    aborted,
  };
}

function costOf(encoded: string): number {
  const value = decode(encoded) as CouncilValue;
  return value.kind === "model" ? (readBack(value).cost ?? 0) : 0;
}
