import { formatCount } from "@coppice/engine/display";
import { diffRuns, type FirstDifference, findRun, type RunDiff } from "@coppice/engine/records";
import { exitCode } from "../exit-code.ts";
import type { PlaceOptions } from "../options/run-options.ts";
import { print, printJson } from "../print.ts";

const MOST_FIELDS = 5;

/** `coppice diff <a> <b>`: the first task where two runs differ, and the settings that do. */
export function printDiff(a: string, b: string, { runDir, json }: PlaceOptions & { readonly json?: boolean }): void {
  const diff = diffRuns(findRun(a, runDir), findRun(b, runDir));
  if (json === true) printJson(diff);
  else print(`${diffText(a, b, diff)}\n`);
  if (!diff.same) process.exitCode = exitCode.failed;
}

function diffText(a: string, b: string, { same, first, fields, tells, digests, settings }: RunDiff): string {
  const verdict = same
    ? [`runs ${a} and ${b} are the same: ${formatCount(tells[0])} tells`, `  digest ${digests[0]}`]
    : [`runs ${a} and ${b} differ${first === undefined ? "" : `: ${firstText(a, b, first)}`}`];
  const more = fields.length > MOST_FIELDS ? [`${fields.length - MOST_FIELDS} more`] : [];
  const named = [...fields.slice(0, MOST_FIELDS), ...more].join(", ");
  const where = named === "" ? [] : [`  outcomes of the same tasks differ in: ${named}`];
  return [...verdict, ...where, ...settings.map((setting) => `  ${setting}`)].join("\n");
}

function firstText(a: string, b: string, { ask, what, sides }: FirstDifference): string {
  const where = {
    key: "has a different key",
    candidate: "has a different candidate",
    outcome: "has a different outcome",
    length: "only one of them has",
  };
  return `first at task ${ask}, which ${where[what]}\n  ${a}: ${sides[0]}\n  ${b}: ${sides[1]}`;
}
