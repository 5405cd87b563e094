import { type Markup, markup, plotFrame } from "@coppice/engine/page";

const SIZE = { width: 460, height: 150, left: 34, right: 4, top: 8, bottom: 20 };

/** Limits above this many times the busiest hour are not drawn. */
const FAR = 2;

export interface DemandChart {
  readonly title: string;
  /** Entries per rolling hour and bin. */
  readonly before: Int32Array;
  /** With a plan. */
  readonly after: Int32Array | undefined;
  /** Infinity where there is no limit. */
  readonly capacity: Float64Array;
  readonly hourLabel: (bin: number) => string;
}

/** A volume's rolling hours against its capacity; what is above is filled. */
export function demandChart({ title, before, after, capacity, hourLabel }: DemandChart): Markup {
  const bins = before.length;
  const busiest = Math.max(1, ...before, ...(after ?? []));
  // A limit far above the traffic would make that flat, and one that is not there cannot be drawn.
  const limits = capacity.filter((limit) => limit <= FAR * busiest);
  const top = Math.max(busiest, ...limits);
  const { x, ...frame } = plotFrame([0, bins], [0, top], { size: SIZE, margin: 0 });
  const y = (count: number): number => frame.y(Math.min(count, top));
  const steps = (values: ArrayLike<number>): string =>
    Array.from(values, (value, bin) => `${bin === 0 ? "M" : "L"}${x(bin)} ${y(value)}H${x(bin + 1)}`).join("");
  const limitSteps = Array.from(capacity, (limit, bin) =>
    limit > top ? "" : `${bin > 0 && capacity[bin - 1] <= top ? "L" : "M"}${x(bin)} ${y(limit)}H${x(bin + 1)}`,
  ).join("");
  const now = after ?? before;
  const over = Array.from(now, (count, bin) =>
    count > capacity[bin] ? `M${x(bin)} ${y(capacity[bin])}V${y(count)}H${x(bin + 1)}V${y(capacity[bin])}Z` : "",
  ).join("");
  const ticks = [0, 0.25, 0.5, 0.75].map((part) => Math.round(part * bins));
  return markup`<figure class="chart"><svg viewBox="0 0 ${SIZE.width} ${SIZE.height}" role="img" aria-label="${title}">
<line class="grid" x1="${SIZE.left}" x2="${SIZE.width - SIZE.right}" y1="${y(0)}" y2="${y(0)}"/><line class="grid" x1="${SIZE.left}" x2="${SIZE.width - SIZE.right}" y1="${y(top)}" y2="${y(top)}"/>
<text class="tick" x="${SIZE.left - 4}" y="${y(top) + 4}" text-anchor="end">${top}</text><text class="tick" x="${SIZE.left - 4}" y="${y(0)}" text-anchor="end">0</text>
${ticks.map((bin) => markup`<text class="tick" x="${x(bin)}" y="${SIZE.height - 5}">${hourLabel(bin)}</text>`)}
<path class="over" d="${over}"/>
${after === undefined ? undefined : markup`<path class="was" d="${steps(before)}"/>`}
<path class="demand" d="${steps(now)}"/>
${limits.length === 0 ? undefined : markup`<path class="limit" d="${limitSteps}"/>`}
</svg><figcaption>${title}</figcaption></figure>`;
}
