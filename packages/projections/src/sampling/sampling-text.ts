import { type Findings, figureText } from "./findings.ts";

/** Most kinds of failures that are listed. */
const LISTED = 5;

/** What was found, for people. */
export function samplingText({ options, goals, result }: Findings): string {
  const { trials, best, front, ended, failed } = result;
  const tried = options.budget === undefined ? "trial" : "evaluation";
  const extent = `${trials.length} ${tried}${trials.length === 1 ? "" : "s"} (${options.method}): ${ended}`;
  const named = (i: number) =>
    goals.map(
      ({ name }, k) => `${goals.length > 1 ? `${name} ` : ""}${figureText(trials[i].values?.[k] ?? Number.NaN)}`,
    );
  const lines = [extent, ...failureLines(result)];
  if (failed === trials.length)
    return [
      ...lines,
      `no trial has a value; if an earlier run left a best.json in ${options.output}, it stays as it is`,
    ].join("\n");
  if (best !== null) {
    const { point, spread, budget } = trials[best];
    const around = spread === undefined ? "" : ` ± ${figureText(spread[0])}`;
    const spent = budget === undefined ? "" : ` with ${options.budget?.name} ${budget}`;
    lines.push(`best: ${named(best)[0]}${around} at ${JSON.stringify(point)}${spent} (trial ${best + 1})`);
  }
  if (front !== undefined) {
    lines.push(`${front.length} trials that none is better than in every objective:`);
    const inOrder = front.toSorted((a, b) => (trials[a].values?.[0] ?? 0) - (trials[b].values?.[0] ?? 0));
    for (const i of inOrder) lines.push(`  ${named(i).join(", ")} at ${JSON.stringify(trials[i].point)}`);
  }
  return [...lines, `best.json, trials.csv and report.html are in ${options.output}`].join("\n");
}

/** Why trials have no value, the most frequent reason first. */
export function failureLines({ trials, failed }: Findings["result"]): readonly string[] {
  if (failed === 0) return [];
  const reasons = Map.groupBy(
    trials.flatMap(({ failure }) => (failure === undefined ? [] : [failure])),
    (failure) => failure,
  );
  const sorted = [...reasons].toSorted(([, a], [, b]) => b.length - a.length);
  const listed = sorted.slice(0, LISTED).map(([reason, all]) => `  ${all.length}×: ${reason}`);
  const more = sorted.length > LISTED ? [`  and ${sorted.length - LISTED} other reasons`] : [];
  return [`${failed} of ${trials.length} have no value:`, ...listed, ...more];
}
