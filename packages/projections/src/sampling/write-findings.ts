import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { taskSeed } from "@coppice/engine/command";
import { writeDurably } from "@coppice/engine/files";
import { valueAt } from "@coppice/search";
import { writeJson } from "../json-file.ts";
import type { Findings } from "./findings.ts";

/** Writes `best.json` and the table of all trials. */
export function writeFindings(findings: Findings): void {
  const { options, goals, result } = findings;
  const { output, seed, method } = options;
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
    trials: result.trials.length,
    ended: result.ended,
    best: found,
  });
  writeDurably(join(output, "trials.csv"), trialTable(findings));
}

/** The line that evaluates a trial again as its worker did, where a program does that. */
function again({ options, result }: Findings, trial: number): { readonly again?: string } {
  const { evaluator, seed, repeats = 1, budget, space } = options;
  if (typeof evaluator === "string" || evaluator.mode === "lines" || budget !== undefined) return {};
  const candidate = JSON.stringify(result.trials[trial].point);
  const own = taskSeed(seed, repeats === 1 ? candidate : `${candidate} 1`);
  const context = space.context === null ? "" : `COPPICE_CONTEXT=${quoted(JSON.stringify(space.context))} `;
  const words = evaluator.command.map(quoted).join(" ");
  return { again: `printf %s ${quoted(candidate)} | ${context}COPPICE_TASK_SEED=${own} ${words}` };
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
