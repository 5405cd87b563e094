import { existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { taskSeed } from "@coppice/engine/command";
import { writeDurably } from "@coppice/engine/files";
import { type Configuration, rungCandidate, valueAt } from "@coppice/search";
import { writeJson } from "../json-file.ts";
import type { Findings } from "./findings.ts";

/** Writes `best.json` and the table of all trials. A run without any value leaves what an earlier one has found. */
export function writeFindings(findings: Findings): void {
  const { options, goals, result } = findings;
  const { output, seed, method } = options;
  if (result.failed === result.trials.length && existsSync(join(output, "best.json"))) return;
  mkdirSync(output, { recursive: true });
  const entry = (i: number) => {
    const { point, values, spread, budget } = result.trials[i];
    return {
      trial: i + 1,
      ...Object.fromEntries(goals.map(({ name }, k) => [name, values?.[k] ?? null])),
      point,
      ...(spread === undefined ? {} : { spread }),
      ...(budget === undefined ? {} : { budget }),
      ...again(findings, i),
    };
  };
  const found =
    result.front === undefined ? (result.best === null ? null : entry(result.best)) : result.front.map(entry);
  writeJson(join(output, "best.json"), {
    method,
    seed,
    [options.budget === undefined ? "trials" : "evaluations"]: result.trials.length,
    ended: result.ended,
    best: found,
  });
  writeDurably(join(output, "trials.csv"), trialTable(findings));
}

/** The line that evaluates a trial again as its worker did, where a program does that. */
function again(findings: Findings, trial: number): { readonly again?: string } {
  const { evaluator, seed, repeats = 1, space } = findings.options;
  if (typeof evaluator === "string" || evaluator.mode === "lines") return {};
  const candidate = JSON.stringify(candidateOf(findings, trial));
  const own = taskSeed(seed, repeats === 1 ? candidate : `${candidate} 1`);
  const context = space.context === null ? "" : `COPPICE_CONTEXT=${quoted(JSON.stringify(space.context))} `;
  const words = evaluator.command.map(quoted).join(" ");
  return { again: `printf %s ${quoted(candidate)} | ${context}COPPICE_TASK_SEED=${own} ${words}` };
}

/** What a trial's worker was given: with a budget also how much of it, and the checkpoint that the rung before left. */
function candidateOf({ options, result }: Findings, trial: number): Configuration {
  const { point, budget: own } = result.trials[trial];
  if (options.budget === undefined || own === undefined) return point;
  const same = JSON.stringify(point);
  const lower = result.trials.flatMap(({ point: other, budget = own }) =>
    budget < own && JSON.stringify(other) === same ? [budget] : [],
  );
  const before = lower.length === 0 ? undefined : Math.max(...lower);
  return rungCandidate(point, { name: options.budget.name, own, before, seed: options.seed });
}

/** A word for a shell. */
function quoted(text: string): string {
  return /^[\w./:=-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}

function trialTable({ options, space, goals, result }: Findings): string {
  const hasBudget = options.budget !== undefined;
  const hasSpread = result.trials.some(({ spread }) => spread !== undefined);
  const measured = goals.flatMap(({ name }) => (hasSpread ? [name, `spread of ${name}`] : [name]));
  const head = ["trial", ...measured, ...(hasBudget ? ["budget"] : [])];
  const lines = result.trials.map(({ point, values, spread, budget, failure }, i) => [
    i + 1,
    ...goals.flatMap((_, k) => (hasSpread ? [values?.[k] ?? "", spread?.[k] ?? ""] : [values?.[k] ?? ""])),
    ...(hasBudget ? [budget ?? ""] : []),
    ...space.parameters.map(({ path }) => valueAt(point, path) ?? ""),
    failure ?? "",
  ]);
  return [[...head, ...space.parameters.map(({ name }) => name), "failure"], ...lines]
    .map((cells) => `${cells.map((each) => cell(String(each))).join(",")}\n`)
    .join("");
}

function cell(text: string): string {
  return /[",\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
