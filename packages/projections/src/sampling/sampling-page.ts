import { type Markup, markup, page, plotFrame, table } from "@coppice/engine/page";
import { importances, placeOf, pointOf, type Trial, valueAt } from "@coppice/search";
import { plotStyle } from "../report/curve-plot.ts";
import { type Findings, figureText } from "./findings.ts";
import { failureLines } from "./sampling-text.ts";

/** Most rows of the page's table; the rest is in trials.csv. */
const ROWS = 100;

/** What was found, as a page: best so far, what matters, a slice per parameter, the front, the best trials. */
export function samplingPage(findings: Findings): string {
  const { options, goals, result } = findings;
  const parts = [
    ...(goals.length === 1
      ? [section("Best so far", bestSoFar(findings))]
      : [section("Pareto front", frontPlot(findings))]),
    section("What matters", importanceTable(findings)),
    ...goals.map((goal, k) => section(`Slices: ${goal.name}`, slices(findings, k))),
    section("Trials, best first", trialRows(findings)),
  ];
  return page({
    title: "Search by samples",
    style: plotStyle,
    lead: `${result.trials.length} trials, ${options.method}, seed ${options.seed}, window ${options.window}: ${result.ended}. ${failureLines(result).join(" ")}`,
    body: markup`${parts}`,
  });
}

function section(title: string, body: Markup): Markup {
  return markup`<h2>${title}</h2>\n<div class="panel">${body}</div>\n`;
}

function bestSoFar({ goals, result }: Findings): Markup {
  const sign = goals[0].better === "lower" ? 1 : -1;
  const points: [number, number][] = [];
  let best = Number.POSITIVE_INFINITY;
  for (const [i, { values }] of result.trials.entries()) {
    if (values !== null) best = Math.min(best, sign * values[0]);
    if (best < Number.POSITIVE_INFINITY) points.push([i + 1, sign * best]);
  }
  if (points.length === 0) return markup`<p>No trial has a value.</p>`;
  const ups = points.map(([, y]) => y);
  const frame = plotFrame([1, Math.max(2, result.trials.length)], [Math.min(...ups), Math.max(...ups)], {});
  const line = points.map(([x, y]) => `${frame.x(x)},${frame.y(y)}`).join(" ");
  const text = (value: number) => figureText(value);
  const axes = frame.axes({ label: "trial", text, ticks: [1, result.trials.length] }, { label: goals[0].name, text });
  return markup`<svg viewBox="0 0 ${frame.size.width} ${frame.size.height}">${axes}<polyline class="curve" points="${line}"/></svg>`;
}

function frontPlot({ goals, result }: Findings): Markup {
  const all = result.trials.flatMap(({ values }, i) => (values === null ? [] : [{ values, i }]));
  if (all.length === 0) return markup`<p>No trial has a value.</p>`;
  const [xs, ys] = [0, 1].map((k) => all.map(({ values }) => values[k]));
  const frame = plotFrame([Math.min(...xs), Math.max(...xs)], [Math.min(...ys), Math.max(...ys)], {});
  const front = new Set(result.front ?? []);
  const dots = all.map(
    ({ values, i }) =>
      markup`<circle class="${front.has(i) ? "start" : "dot"}" cx="${frame.x(values[0])}" cy="${frame.y(values[1])}" r="3"><title>trial ${i + 1}</title></circle>`,
  );
  const text = (value: number) => figureText(value);
  const ticks = [Math.min(...xs), Math.max(...xs)];
  const axes = frame.axes({ label: goals[0].name, text, ticks }, { label: goals[1].name, text });
  return markup`<p><small>Orange: none is better in every objective.</small></p><svg viewBox="0 0 ${frame.size.width} ${frame.size.height}">${axes}${dots}</svg>`;
}

function importanceTable({ space, goals, result }: Findings): Markup {
  const sign = goals[0].better === "lower" ? 1 : -1;
  const trials = result.trials.flatMap(({ point: configuration, values }): Trial[] => {
    const point = pointOf(space, configuration);
    if (typeof point === "string" || values === null) return [];
    return [{ point, place: placeOf(space, point), values: values.map((value) => sign * value) }];
  });
  const shares = importances(trials, space.parameters.length);
  const rows = space.parameters
    .map(({ name }, d) => ({ name, share: shares[d] }))
    .toSorted((a, b) => b.share - a.share)
    .map(({ name, share }) => [name, `${(100 * share).toFixed(1)} %`]);
  return markup`<p><small>Share of the variance of ${goals[0].name}'s ranks that lies between groups of a parameter's values (correlation ratio, less what chance would give); what parameters do only together is not seen.</small></p>${table(["parameter", "share"], rows)}`;
}

function slices({ space, result }: Findings, objective: number): Markup {
  const plots = space.parameters.map(({ name, path, domain }) => {
    const points = result.trials.flatMap(({ point, values }, i) => {
      const value = valueAt(point, path);
      if (value === undefined || values === null) return [];
      const across = domain.kind === "choice" ? domain.values.map(String).indexOf(String(value)) : Number(value);
      const isLog = domain.kind === "real" && domain.log === true;
      return [{ across: isLog ? Math.log10(across) : across, up: values[objective], value, i }];
    });
    return [name, slicePlot(points)];
  });
  return table(["parameter", "value to the right, objective upwards"], plots);
}

function slicePlot(points: readonly { across: number; up: number; value: unknown; i: number }[]): Markup | undefined {
  if (points.length === 0) return undefined;
  const range = (numbers: readonly number[]) => [Math.min(...numbers), Math.max(...numbers)] as const;
  const size = { width: 420, height: 120, left: 8, right: 8, top: 8, bottom: 8 };
  const frame = plotFrame(range(points.map(({ across }) => across)), range(points.map(({ up }) => up)), { size });
  const dots = points.map(
    ({ across, up, value, i }) =>
      markup`<circle class="dot" cx="${frame.x(across)}" cy="${frame.y(up)}" r="2"><title>${String(value)}: ${figureText(up)} (trial ${i + 1})</title></circle>`,
  );
  return markup`<svg width="${size.width}" height="${size.height}">${dots}</svg>`;
}

function trialRows({ space, goals, result }: Findings): Markup {
  const sign = goals[0].better === "lower" ? 1 : -1;
  const rows = result.trials
    .map((row, i) => ({ ...row, i }))
    .toSorted((a, b) => sign * ((a.values?.[0] ?? sign * 1e308) - (b.values?.[0] ?? sign * 1e308)))
    .slice(0, ROWS)
    .map(({ point, values, i, failure }) => [
      String(i + 1),
      ...goals.map((_, k) => (values === null ? (failure ?? "-") : figureText(values[k]))),
      ...space.parameters.map(({ path }) => cellText(valueAt(point, path))),
    ]);
  return table(["trial", ...goals.map(({ name }) => name), ...space.parameters.map(({ name }) => name)], rows);
}

function cellText(value: unknown): string {
  return typeof value === "number" ? figureText(value) : value === undefined ? "" : String(value);
}
