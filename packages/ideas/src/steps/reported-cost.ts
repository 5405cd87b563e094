import { readFileSync, rmSync } from "node:fs";
import { isObject, isRecord, parsedJson } from "@coppice/engine/values";
import type { Cost, FailureData, StepCosts } from "../contract.ts";

/** What a step reported, and what was wrong with its file: a budget that hears nothing would never be spent. */
export interface ReportedCost {
  readonly cost: Cost;
  readonly problem: string | undefined;
}

/**
 * What a step says it spent: `{"money": 0.12, "tokens": 3400}` in its usage file, or lines
 * `{"coppice_usage": {"money": 0.12, "tokens": 3400}}` on its standard output, which add up. Either field may be absent.
 */
export function reportedCost(usagePath: string, stdout: string): ReportedCost {
  const written = readAndRemove(usagePath);
  const inFile = parsedJson(written);
  let cost = costOf(inFile) ?? NO_COST;
  for (const line of stdout.split("\n")) {
    if (!line.includes("coppice_usage")) continue;
    const said = parsedJson(line);
    if (isObject(said)) cost = addCost(cost, costOf(said.coppice_usage) ?? NO_COST);
  }
  return { cost, problem: written.trim() === "" || isCost(inFile) ? undefined : written };
}

function isCost(said: unknown): boolean {
  if (!isRecord(said)) return false;
  return [said.money, said.tokens].every((value) => value == null || value === amount(value));
}

function costOf(said: unknown): Cost | undefined {
  if (!isObject(said)) return undefined;
  return { money: amount(said.money), tokens: amount(said.tokens) };
}

/** Budgets only ever shrink: what is not a number from zero up counts as nothing. */
function amount(value: unknown): number {
  return typeof value === "number" && Number.isFinite(value) && value >= 0 ? value : 0;
}

/** Removed, so that the next step's report is its own. */
function readAndRemove(path: string): string {
  try {
    const text = readFileSync(path, "utf8");
    rmSync(path, { force: true });
    return text;
  } catch {
    return "";
  }
}

/** Why a task could not be finished; the name is the failure's type as the search and the manifest know it. */
export class StepFailed extends Error {
  override readonly name: FailureKind;
  readonly data: FailureData;
  constructor(kind: FailureKind, message: string, data: Partial<FailureData> & Pick<FailureData, "step">) {
    super(message);
    this.name = kind;
    this.data = { round: 0, exitCode: null, signal: null, logTail: [], cost: NO_COST, ...data };
  }
}

/**
 * `StepFailed`: a command ended with an error or could not be started. `TimeoutError`: a time limit ended it, and the
 * run says that it met a clock. `Rejected`: no round was approved. `ResultsUnusable`: the sweep ended well, but its
 * results cannot be read.
 */
export type FailureKind = "StepFailed" | "TimeoutError" | typeof REJECTED | "ResultsUnusable";

/** An answer and no accident: review rounds are the tries that such a change has, and retries are not for it. */
export const REJECTED = "Rejected";

export const NO_COST: Cost = { money: 0, tokens: 0 };

export function addCost(a: Cost | undefined, b: Cost): Cost {
  return a === undefined ? b : { money: a.money + b.money, tokens: a.tokens + b.tokens };
}

/** The same step by step. */
export function addCosts(a: StepCosts, b: StepCosts): StepCosts {
  const sums = new Map(Object.entries(a));
  for (const [step, cost] of Object.entries(b)) sums.set(step, addCost(sums.get(step), cost));
  return Object.fromEntries(sums);
}
