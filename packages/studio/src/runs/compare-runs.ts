import { counted, formatCount, formatMeasured, formatValue } from "@coppice/engine/figures";
import { diffRuns, type FirstDifference, type RunDiff } from "@coppice/engine/records";
import { UsageError } from "@coppice/engine/usage-error";
import type { Comparison, RunDetail } from "../wire.ts";

/** Two runs side by side, by the same comparison as `coppice diff`. */
export function compareRuns(a: RunDetail, b: RunDetail): Comparison {
  const diff = difference(a, b);
  const first = diff.first === undefined ? "" : ` ${firstText(a, b, diff.first)}`;
  const verdict = diff.same
    ? `Runs ${a.id} and ${b.id} are the same: ${formatCount(diff.tells[0])} tells, digest ${diff.digests[0]}.`
    : `Runs ${a.id} and ${b.id} differ.${first}`;
  const [left, right] = [factsOf(a), factsOf(b)];
  const facts = [...new Set([...left.keys(), ...right.keys()])].map((name) => {
    const values = [left.get(name) ?? "", right.get(name) ?? ""] as const;
    return { name, values, same: values[0] === values[1] };
  });
  return { runs: [a, b], diff, verdict, facts: facts.sort((x, y) => Number(x.same) - Number(y.same)) };
}

function difference(a: RunDetail, b: RunDetail): RunDiff {
  try {
    return diffRuns(a.directory, b.directory);
  } catch (error) {
    throw new UsageError(`these two cannot be compared: ${error instanceof Error ? error.message : String(error)}`);
  }
}

const where: Readonly<Record<FirstDifference["what"], string>> = {
  key: "has a different key",
  candidate: "has a different candidate",
  outcome: "has a different outcome",
  length: "only one of them has",
};

function firstText(a: RunDetail, b: RunDetail, { ask, what, sides }: FirstDifference): string {
  return `The first difference is task ${ask}, which ${where[what]}: ${sides[0]} in run ${a.id}, ${sides[1]} in run ${b.id}.`;
}

function factsOf({ start, end, told, best, activeMs, facts }: RunDetail): ReadonlyMap<string, string> {
  return new Map([
    ["tool", start?.tool ?? ""],
    ["seed", String(start?.seed ?? "")],
    ["lookahead", String(start?.lookahead ?? "")],
    ["pool", start === undefined ? "" : `${start.pool}, ${counted(start.workers, "worker")}`],
    ["told", formatCount(told)],
    ["best", best === undefined ? "" : formatValue(best)],
    ["time at work", formatMeasured(activeMs)],
    ["digest", end?.state === "done" ? end.digest : ""],
    ...facts.map(({ name, value }) => [name, value] as const),
  ]);
}
