import { formatMeasured, formatPercent } from "@coppice/engine/figures";
import type { RunDetail } from "../../src/wire.ts";
import { roundTicks } from "../chart/plot-area.ts";
import type { Mark, Scene } from "../chart/scene.ts";
import type { Spot } from "../chart/spots.ts";

const ROW = 20;
const BAR = 14;
const LEFT = 76;
const RIGHT = 16;
const TOP = 8;
const BOTTOM = 32;
const LETTER = 7;
/** What the word takes. */
const RESUMED = 56;

/** What is drawn of a run. */
export type Course = Pick<RunDetail, "timeline" | "hosts">;

/** A line of the drawing: a worker, or the machine that those below it are on. */
type Line = number | string;

/** The machine of a worker, by its name where it is not the run's own. */
export const machineOf = ({ hosts }: Pick<Course, "hosts">, worker: number): string => hosts[worker] ?? "this machine";

/** Workers in order; where some are on other machines, machine by machine below the name of each, the run's own first. */
function linesOf(course: Course): readonly Line[] {
  const workers = course.timeline.rows.map(({ worker }) => worker).sort((a, b) => a - b);
  const isOwn = (worker: number) => course.hosts[worker] === undefined;
  if (workers.every(isOwn)) return workers;
  const elsewhere = Map.groupBy(
    workers.filter((worker) => !isOwn(worker)),
    (worker) => machineOf(course, worker),
  );
  const own = workers.filter(isOwn);
  const machines = [...elsewhere].sort(([a], [b]) => (a < b ? -1 : 1));
  const first = own.length === 0 ? [] : [machineOf(course, own[0]), ...own];
  return [...first, ...machines.flatMap(([name, there]) => [name, ...there])];
}

/** Who did what when: a row per worker, in which empty is waiting. */
export function timelineScene(course: Course, width: number): Scene {
  const { timeline } = course;
  const lines = linesOf(course);
  const height = TOP + lines.length * ROW + BOTTOM;
  const length = Math.max(1, timeline.lengthMs);
  const scale = (width - LEFT - RIGHT) / length;
  const rowY = new Map(lines.map((line, row) => [line, TOP + row * ROW]));
  const marks: Mark[] = lines.flatMap((line): Mark[] => {
    const y = rowY.get(line) ?? 0;
    if (typeof line === "string") {
      const text = line.slice(0, Math.floor((width - RIGHT) / LETTER));
      return [{ kind: "text", x: 0, y: y + 14, text, fill: "ink" }];
    }
    return [
      { kind: "text", x: LEFT - 8, y: y + 12, text: `worker ${line}`, fill: "muted", anchor: "end" },
      { kind: "rect", x: LEFT, y: y + 2, width: width - LEFT - RIGHT, height: BAR, fill: "line" },
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
  let named = 0;
  for (const atMs of timeline.sessionsMs) {
    const x = LEFT + atMs * scale;
    const seam = [[x, TOP - 4] as const, [x, height - BOTTOM + 4] as const];
    marks.push({ kind: "line", points: seam, stroke: "ink", width: 1.5, dash: 4 });
    // Each seam is drawn; a word has to have room beside the one before it.
    const word = Math.min(x + 4, width - RESUMED);
    if (word < named) continue;
    marks.push({ kind: "text", x: word, y: height - BOTTOM + 12, text: "resumed", fill: "ink" });
    named = word + RESUMED;
  }
  for (const { at } of roundTicks(0, length, width < 600 ? 3 : 6)) {
    const text = at === 0 ? "0" : formatMeasured(at);
    const x = LEFT + at * scale;
    const isCut = x + (LETTER * text.length) / 2 > width;
    const anchor = at === 0 ? "start" : isCut ? "end" : "middle";
    marks.push({ kind: "text", x, y: height - 4, text, fill: "muted", anchor });
  }
  return { width, height, marks };
}

/** So many places of a worker's line are read by keys. */
const SPOTS = 60;

/** Where arrow keys go: along the line of a worker, and from worker to worker. */
export function timelineSpots(course: Course, width: number): readonly Spot[] {
  const step = (width - LEFT - RIGHT) / SPOTS;
  return linesOf(course).flatMap((line, row) =>
    typeof line === "string"
      ? []
      : Array.from({ length: SPOTS }, (_, at) => [LEFT + (at + 0.5) * step, TOP + row * ROW + ROW / 2] as const),
  );
}

/** What is at a point of the drawing, in words. */
export function timelineAt(course: Course, width: number, x: number, y: number): string {
  const { timeline, hosts } = course;
  const worker = linesOf(course)[Math.floor((y - TOP) / ROW)];
  const atMs = ((x - LEFT) / (width - LEFT - RIGHT)) * timeline.lengthMs;
  if (typeof worker !== "number" || atMs < 0 || atMs > timeline.lengthMs) return "";
  const where = hosts[worker] === undefined ? "" : ` on ${hosts[worker]}`;
  const when = `worker ${worker}${where} at ${formatMeasured(atMs)}`;
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
