import { formatCount } from "@coppice/engine/display";
import { type Markup, markup, plotFrame, valueTicks } from "@coppice/engine/page";
import type { FrontPoint } from "./front-search.ts";

export const frontStyle = `
#front + .panel svg { min-width: 0; max-width: 720px; }
.front-line { fill: none; stroke: var(--leaf); stroke-width: 2; }
.front-point { fill: var(--panel); stroke: var(--leaf); stroke-width: 2; } .front-point.own { fill: var(--leaf); } .front-point.beaten { stroke: var(--dim); }
.front-label { fill: var(--ink); font-size: 13px; font-family: inherit; paint-order: stroke; stroke: var(--panel); stroke-width: 4px; }
`;

/** Room that a label needs, in pixels of the drawing. */
const LABEL = { width: 46, height: 15 };

const SIZE = { width: 480, height: 360, left: 58, right: 30, top: 16 };

/** A picture of the front: minutes of delay across, flights above capacity up, a point for each price. */
export function frontSection(front: readonly FrontPoint[], withoutPlan: number, own: number): Markup {
  return markup`<h2 id="front">Front <small>what delay buys: a plan for each price of a minute</small></h2>
<div class="panel">${frontChart(front, withoutPlan, own)}</div>`;
}

function frontChart(front: readonly FrontPoint[], withoutPlan: number, own: number): Markup {
  const most = Math.max(1, ...front.map(({ score }) => score.delayMinutes));
  const above = [withoutPlan, ...front.map(({ score }) => score.exceedance)];
  const frame = plotFrame([0, most], [0, Math.max(1, ...above)], { size: SIZE });
  const place = ({ score }: Pick<FrontPoint, "score">) => ({
    x: frame.x(score.delayMinutes),
    y: frame.y(score.exceedance),
  });
  const start = { x: frame.x(0), y: frame.y(withoutPlan) };
  const way = front
    .filter(({ onFront }) => onFront)
    .map(place)
    .sort((a, b) => a.x - b.x);
  const line = [start, ...way.filter(({ x }) => x > start.x)].map(({ x, y }) => `${x} ${y}`).join("L");
  const labels = apart([
    { text: "no plan", ...start },
    // The run's own price first: of labels that would lie over each other the earlier is drawn.
    ...front
      .toSorted((a, b) => Number(b.delayMinute === own) - Number(a.delayMinute === own))
      .map((point) => ({ text: String(point.delayMinute), ...place(point) })),
  ]);
  return markup`<figure class="chart"><svg viewBox="0 0 ${frame.size.width} ${frame.size.height}" role="img" aria-label="Exceedance over delay, ${front.length} plans">
${frame.axes(
  { label: "minutes of delay", ticks: valueTicks(0, most, 5), text: formatCount },
  { label: "flights above capacity", text: formatCount },
)}
<path class="front-line" d="M${line}"/>
<circle class="front-point beaten" cx="${start.x}" cy="${start.y}" r="5"><title>no plan: ${formatCount(withoutPlan)} flights above capacity</title></circle>
${front.map((point) => {
  const { delayMinute, score, onFront } = point;
  const { x, y } = place(point);
  return markup`<circle class="front-point${delayMinute === own ? " own" : ""}${onFront ? "" : " beaten"}" cx="${x}" cy="${y}" r="5"><title>price ${delayMinute}: ${formatCount(score.delayMinutes)} minutes of delay, ${formatCount(score.exceedance)} flights above capacity, ${score.regulations} regulations, J ${score.objective.toFixed(1)}</title></circle>`;
})}
${labels.map(({ text, x, y }) => {
  const room = x + LABEL.width < SIZE.width;
  return markup`<text class="front-label" x="${room ? x + 9 : SIZE.width - 6}" y="${room ? y - 7 : y - 12}" text-anchor="${room ? "start" : "end"}">${text}</text>`;
})}</svg>
<figcaption>numbers are the price of a minute of delay; the filled point is the plan of this run${front.every(({ onFront }) => onFront) ? "" : "; grey: beaten in both by another"}</figcaption></figure>`;
}

interface Label {
  readonly text: string;
  readonly x: number;
  readonly y: number;
}

/** Labels that leave room for each other; of two that do not, the first. */
function apart(labels: readonly Label[]): readonly Label[] {
  const kept: Label[] = [];
  for (const label of labels) {
    const free = kept.every(
      ({ x, y }) => Math.abs(x - label.x) >= LABEL.width || Math.abs(y - label.y) >= LABEL.height,
    );
    if (free) kept.push(label);
  }
  return kept;
}
