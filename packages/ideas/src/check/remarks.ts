import { readFileSync } from "node:fs";
import { sharesRepeats } from "../config/check-steps.ts";
import type { ChosenTree } from "../config/choose-tree.ts";
import { readResults } from "../results/results-table.ts";
import type { CheckedStep } from "./check-tree.ts";
import { ideasInFolder } from "./full-run.ts";

/** What should be known before a tree is grown, a line each. */
export function remarksBeforehand(chosen: ChosenTree): readonly string[] {
  return [ideasLeftOut(chosen), baselineMeasuredOnce(chosen)].flatMap((remark) => remark ?? []);
}

/** A baseline that has everything once shows no noise: said where somebody thought of noise, or it would be missed. */
function baselineMeasuredOnce({ config, shape }: ChosenTree): string | undefined {
  const { baseline, results, score } = config;
  if (baseline === null || shape.dryRun || score.kind === "command") return undefined;
  const { repeats, leastGain } = shape;
  const sameSeed = repeats === "auto" && sharesRepeats(config);
  const thoughtOf = (repeats !== "auto" && repeats > 1) || leastGain !== null || score.gateTolerance !== undefined;
  if (!sameSeed && !thoughtOf) return undefined;
  const { rows } = readResults(readFileSync(baseline, "utf8"), results, baseline);
  const ids = new Set(rows.map(({ id }) => id ?? "none"));
  if (ids.size < rows.length) return undefined;
  const then = sameSeed
    ? "if it is of repeat 1, noise is not seen and everything is measured once: set search.repeats, or leave baseline out"
    : repeats === 1
      ? "and with search.repeats 1 its noise counts as a gain or a loss: leave search.repeats out"
      : "the root is measured again, and the file is only where it starts";
  return `the baseline ${baseline} is a single measurement, which does not show noise: ${then}`;
}

/** Ideas that no node is ever offered, in one line; undefined where there are none. */
function ideasLeftOut(chosen: ChosenTree): string | undefined {
  const { ideasPerNode } = chosen.shape;
  const there = chosen.shape.dryRun ? undefined : ideasInFolder(chosen.config);
  if (there === undefined || there <= ideasPerNode) return undefined;
  return `there are ${there} ideas, and each node is offered the first ${ideasPerNode} by name: --ideas-per-node ${there} offers all`;
}

/** Steps of the agent whose price was to be read from what they print, and came to nothing. */
export function pricesNotFound({ config: { steps } }: ChosenTree, tried: readonly CheckedStep[]): readonly string[] {
  return (["implement", "review"] as const).flatMap((name) => {
    const { money, tokens = [] } = steps[name]?.answer ?? {};
    const those = tried.filter(({ step }) => step === name);
    if (those.length === 0) return [];
    const nothing = (kind: "money" | "tokens") => those.every(({ cost }) => cost[kind] === 0);
    return [
      ...(money !== undefined && nothing("money")
        ? [`${name} stated no money at ${money}: no budget sees what it costs`]
        : []),
      ...(tokens.length > 0 && nothing("tokens")
        ? [`${name} stated no tokens at ${tokens.join(", ")}: no budget sees them`]
        : []),
    ];
  });
}
