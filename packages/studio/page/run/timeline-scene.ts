import { formatMeasured, formatPercent } from "@coppice/engine/figures";
import type { RunDetail } from "../../src/wire.ts";
import { roundTicks } from "../chart/plot-area.ts";
import type { Mark, Scene } from "../chart/scene.ts";

const ROW = 20;
const BAR = 14;
const LEFT = 76;
const RIGHT = 16;
const TOP = 8;
const BOTTOM = 28;

/** Workers in the order of their rows: those of the run's own machine first, then machine by machine. */
function rowsOf({ timeline, hosts }: RunDetail): readonly number[] {
  const host = (worker: number) => hosts[worker] ?? "";
  return timeline.rows
    .map(({ worker }) => worker)
    .sort((a, b) => (host(a) === host(b) ? a - b : host(a) < host(b) ? -1 : 1));
}

/** Who did what when: a row per worker, in which empty is waiting. */
export function timelineScene(run: RunDetail, width: number): Scene {
  const { timeline, hosts } = run;
  const workers = rowsOf(run);
  const height = TOP + workers.length * ROW + BOTTOM;
  const length = Math.max(1, timeline.lengthMs);
  const scale = (width - LEFT - RIGHT) / length;
  const rowY = new Map(workers.map((worker, row) => [worker, TOP + row * ROW]));
  const marks: Mark[] = workers.flatMap((worker): Mark[] => {
    const y = rowY.get(worker) ?? 0;
    const name = hosts[worker] === undefined ? `worker ${worker}` : `${hosts[worker].slice(0, 8)} ${worker}`;
    return [
      { kind: "text", x: LEFT - 8, y: y + 12, text: name, fill: "muted", anchor: "end" },
      { kind: "rect", x: LEFT, y: y + 2, width: width - LEFT - RIGHT, height: BAR, fill: "sunk" },
    ];
  });
  if (timeline.spans === undefined) {
    const step = timeline.stepMs * scale;
    for (const { worker, busy, failed } of timeline.rows) {
      const y = (rowY.get(worker) ?? 0) + 2;
      for (const [index, part] of busy.entries()) {
        const x = LEFT + index * step;
        const room = Math.min(step, width - RIGHT - x);
        if (part > 0 && room > 0)
          marks.push({ kind: "rect", x, y, width: room, height: BAR, fill: "accent", opacity: part });
        if (failed[index] > 0)
          marks.push({ kind: "rect", x, y: y + BAR - 4, width: Math.max(2, room), height: 4, fill: "bad" });
      }
    }
  } else {
    for (const { worker, fromMs, toMs, ok } of timeline.spans) {
      const y = (rowY.get(worker) ?? 0) + 2;
      const wide = Math.max(1, (toMs - fromMs) * scale - 0.5);
      marks.push({ kind: "rect", x: LEFT + fromMs * scale, y, width: wide, height: BAR, fill: ok ? "accent" : "bad" });
    }
  }
  for (const atMs of timeline.sessionsMs) {
    const x = LEFT + atMs * scale;
    marks.push({
      kind: "line",
      points: [
        [x, TOP - 4],
        [x, height - BOTTOM + 4],
      ],
      stroke: "ink",
      width: 1.5,
      dash: 4,
    });
    marks.push({ kind: "text", x: x + 4, y: height - BOTTOM + 12, text: "resumed", fill: "ink" });
  }
  for (const { at } of roundTicks(0, length, width < 600 ? 3 : 6)) {
    const anchor = at === 0 ? "start" : "middle";
    const text = at === 0 ? "0" : formatMeasured(at);
    marks.push({ kind: "text", x: LEFT + at * scale, y: height - 4, text, fill: "muted", anchor });
  }
  return { width, height, marks };
}

/** What is at a point of the drawing, in words. */
export function timelineAt(run: RunDetail, width: number, x: number, y: number): string {
  const { timeline } = run;
  const worker = rowsOf(run)[Math.floor((y - TOP) / ROW)];
  const atMs = ((x - LEFT) / (width - LEFT - RIGHT)) * timeline.lengthMs;
  if (worker === undefined || atMs < 0 || atMs > timeline.lengthMs) return "";
  const when = `worker ${worker} at ${formatMeasured(atMs)}`;
  if (timeline.spans === undefined) {
    const row = timeline.rows.find((each) => each.worker === worker);
    const step = Math.floor(atMs / timeline.stepMs);
    const failed = row?.failed[step] ?? 0;
    return `${when}: busy ${formatPercent(row?.busy[step] ?? 0)}${failed > 0 ? `, ${failed} failed` : ""}`;
  }
  const span = timeline.spans.find((each) => each.worker === worker && each.fromMs <= atMs && atMs <= each.toMs);
  if (span === undefined) return `${when}: waiting`;
  return `${when}: #${span.ask} ${span.key}, ${formatMeasured(span.toMs - span.fromMs)}${span.ok ? "" : ", failed"}`;
}
