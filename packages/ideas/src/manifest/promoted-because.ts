import { formatCount } from "@coppice/engine/figures";
import type { EvaluationResult } from "../contract.ts";
import type { EvaluationState, RaceState } from "../search/tree-state.ts";
import type { TreeConfig } from "../settings.ts";

/**
 * Why an evaluation was promoted, in a line: what it gained against its parent, over how many repeats, and who agreed.
 * `ms 1,269 → 459 (−64 %, 5 of 5 repeats), tests pass, reviewer approved in round 2`.
 */
export function promotedBecause(
  { race }: Pick<EvaluationState, "race">,
  result: EvaluationResult,
  config: TreeConfig,
): string {
  const repeats = race === undefined ? "" : `, ${repeatsText(race)}`;
  return [gainText(result, config, repeats), ...testsText(result), ...reviewText(result)].join(", ");
}

function repeatsText({ standing: { betterRepeats, repeats }, failed }: RaceState): string {
  return `${betterRepeats} of ${repeats} repeats${failed === 0 ? "" : `, ${failed} failed`}`;
}

function gainText({ metrics, parentRelative }: EvaluationResult, { score }: TreeConfig, repeats: string): string {
  const { primaryDelta, score: scored } = parentRelative;
  if (score.kind === "columns" && primaryDelta !== null && Object.hasOwn(metrics, score.primary)) {
    const after = metrics[score.primary];
    const lower = score.metrics.some(({ column, better }) => column === score.primary && better === "lower");
    const change = lower ? -primaryDelta : primaryDelta;
    const before = after - change;
    const share = before === 0 ? "" : `${signed((change / Math.abs(before)) * 100)} %`;
    const facts = `${share}${repeats}`.replace(/^, /, "");
    // Where the primary metric has not gained, the others have: the score says by how much.
    const others =
      primaryDelta > 0 || scored === null || scored <= 0 ? "" : `score ${signed(scored)} over all metrics, `;
    return `${others}${score.primary} ${roundedText(before)} → ${roundedText(after)}${facts === "" ? "" : ` (${facts})`}`;
  }
  const [what, by] = scored === null ? ["primary metric", primaryDelta] : ["score", scored];
  const gain = by === null ? "no number to compare" : `${what} ${signed(by)} against its parent`;
  return `${gain}${repeats === "" ? "" : ` (${repeats.slice(2)})`}`;
}

function testsText({ steps }: EvaluationResult): string[] {
  return steps.some(({ step }) => step === "test") ? ["tests pass"] : [];
}

function reviewText({ rounds }: EvaluationResult): string[] {
  const last = rounds.at(-1);
  if (last === undefined || last.verdict === "no-review") return [];
  const how = last.verdict === "approve" ? "approved" : `did not approve (${last.verdict})`;
  return [`reviewer ${how}${rounds.length === 1 ? "" : ` in round ${rounds.length}`}`];
}

/** A number as people read it: four digits that count, thousands apart. */
export function roundedText(value: number): string {
  const rounded = Number(value.toPrecision(4));
  if (Math.abs(value) >= 1e15 || (value !== 0 && Math.abs(value) < 1e-6)) return value.toPrecision(4);
  return Math.abs(rounded) >= 1000 ? formatCount(rounded) : String(rounded);
}

function signed(value: number): string {
  const digits = Math.abs(value) >= 10 ? 0 : Math.abs(value) >= 1 ? 1 : 2;
  const text = Math.abs(value).toFixed(digits);
  return Number(text) === 0 ? "±0" : `${value < 0 ? "−" : "+"}${text}`;
}
