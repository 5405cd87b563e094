import { appendFileSync, existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { formatCount } from "@coppice/engine/figures";
import { JOURNAL_NAME, readJournal } from "@coppice/engine/records";
import { decode } from "@coppice/engine/values";
import { type ModelAnswer, readBack, type TokenUsage, type WrittenAnswer } from "../models/consultation.ts";
import type { Charge } from "../models/money/charge.ts";

/** What a run's answers cost, failures and stopped requests included. */
export interface Charges {
  /** Of everything that was asked. */
  readonly usage: TokenUsage;
  /** US dollars, as far as known; null when nothing is. */
  readonly spent: number | null;
  /** The part of it that providers did not count. */
  readonly estimated: number;
  /** What answers from a cache or a recording would have cost. */
  readonly saved: number;
  /** Answers whose cost is not known. */
  readonly unknown: number;
}

/** What stopped requests cost; no outcome of theirs is in the journal. */
const STOPPED = "stopped-requests.ndjson";

/** What is on record of a run's spending. Answers of a recording cost nothing. */
export function chargesIn(directory: string, fromRecording: boolean): Charges {
  let [promptTokens, answerTokens, spent, estimated, saved, unknown, known] = [0, 0, 0, 0, 0, 0, 0];
  const add = ({ usage, cost, estimated: guessed }: Charge, free: boolean): void => {
    if (free) {
      saved += cost ?? 0;
      return;
    }
    promptTokens += usage?.promptTokens ?? 0;
    answerTokens += usage?.answerTokens ?? 0;
    if (cost === undefined) unknown++;
    else {
      known++;
      spent += cost;
      if (guessed === true) estimated += cost;
    }
  };
  readIfThere(directory, (entry) => {
    if (entry.type === "completed") {
      const value = decode(entry.value) as WrittenAnswer | ModelAnswer | object;
      if ("content" in value) add(readBack(value), entry.from === "cache" || fromRecording);
    } else if (entry.type === "failed" && entry.detail.data !== undefined) {
      // Cast: the gateway wrote it.
      add(entry.detail.data as Charge, fromRecording);
    }
  });
  for (const cost of stoppedCosts(directory)) add({ cost, estimated: true }, false);
  return {
    usage: { promptTokens, answerTokens },
    spent: known === 0 && unknown > 0 ? null : spent,
    estimated,
    saved,
    unknown,
  };
}

/** Keeps what requests cost that a session stopped under way, for the next one to count. */
export function keepStopped(directory: string, cost: number): void {
  if (cost > 0) appendFileSync(join(directory, STOPPED), `${JSON.stringify({ cost })}\n`, { mode: 0o600 });
}

function stoppedCosts(directory: string): number[] {
  const path = join(directory, STOPPED);
  if (!existsSync(path)) return [];
  return readFileSync(path, "utf8")
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => (JSON.parse(line) as { readonly cost: number }).cost);
}

/** Reads a run's journal, unless the run has not begun. */
export function readIfThere(directory: string, see: Parameters<typeof readJournal>[1]): void {
  const path = join(directory, JOURNAL_NAME);
  if (existsSync(path)) readJournal(path, see);
}

/** Tokens and money in a few words. */
export function chargesText({ usage, spent, estimated, saved, unknown }: Charges): string {
  const dollars = (value: number) => `$${value.toFixed(value >= 1 ? 2 : 4)}`;
  const parts = [
    ...(estimated > 0 ? [`${dollars(estimated)} of it estimated`] : []),
    ...(spent !== null && unknown > 0 ? [`${formatCount(unknown)} of unknown cost`] : []),
    ...(saved > 0 ? [`${dollars(saved)} saved`] : []),
  ];
  const money = spent === null ? "cost unknown" : dollars(spent);
  const more = parts.length === 0 ? "" : ` (${parts.join(", ")})`;
  return `${formatCount(usage.promptTokens)} tokens asked, ${formatCount(usage.answerTokens)} answered · ${money}${more}`;
}
