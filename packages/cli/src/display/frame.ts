import { styleText } from "node:util";
import {
  formatCount,
  formatRemaining,
  levelsLine,
  type RunSnapshot,
  summaryParts,
  type WorkerView,
} from "@coppice/engine/display";
import { poolKinds } from "@coppice/engine/pools";
import { fit, pad } from "./fit.ts";

export interface FrameSize {
  readonly columns: number;
  readonly rows: number;
  readonly color: boolean;
}

type Style = Parameters<typeof styleText>[0];
type Paint = (style: Style, text: string) => string;

const BAR_COLUMNS = 24;
const MAX_WORKER_ROWS = 32;
/** Lines of what the search says of itself. */
const MOST_SAID = 2;
/** Lines besides the table and what the search says: aggregate, levels, head of the table, rest of the workers, last failure, the cursor's. */
const OTHER_ROWS = 6;

/** What the terminal shows of a run: the aggregate line, its levels, a row per worker, the last failure. */
export function runFrame(run: RunSnapshot, size: FrameSize): string {
  const paint: Paint = (style, text) => (size.color ? styleText(style, text, { validateStream: false }) : text);
  const lines = [aggregateLine(run, size.columns, paint)];
  const levels = levelsLine(run);
  if (levels !== undefined) lines.push(fit(levels, size.columns));
  const says = run.says.slice(0, MOST_SAID).map((line) => paint("gray", fit(line, size.columns)));
  if (run.end === undefined)
    lines.push(...says, ...workerTable(shownWorkers(run), { ...size, rows: size.rows - says.length }, paint));
  const failed = run.lastFailure;
  if (failed !== undefined && run.end === undefined) {
    const { ask, failure, says = `task ${ask}: ${failure.type}: ${failure.message}` } = failed;
    lines.push(paint("red", fit(`last failure: ${says}`, size.columns)));
  }
  return lines.join("\n");
}

function aggregateLine(run: RunSnapshot, columns: number, paint: Paint): string {
  const [count, ...others] = summaryParts(run);
  const text = [count, ...others].join(" · ");
  // The figures come first; the bar is drawn if there is room for both.
  if (columns < text.length + BAR_COLUMNS + 1) return fit(text, columns);
  const full = Math.round(run.fraction * BAR_COLUMNS);
  const bar = paint("green", "█".repeat(full)) + paint("gray", "░".repeat(BAR_COLUMNS - full));
  return `${bar} ${paint("bold", count)}${others.map((part) => ` · ${part}`).join("")}`;
}

const stateStyle = { busy: "green", idle: "gray", ended: "gray" } as const;

/** Places of a pool for work that waits are no workers: what counts is what is under way. */
function shownWorkers({ start, workers }: RunSnapshot): readonly WorkerView[] {
  const busy = workers.filter(({ state }) => state === "busy");
  const kind = poolKinds().find(({ kind }) => kind === start?.pool);
  return kind?.forWaiting === true && busy.length > 0 ? busy : workers;
}

function workerTable(workers: readonly WorkerView[], { columns, rows }: FrameSize, paint: Paint): string[] {
  if (workers.length === 0) return [paint("gray", fit("no worker is ready yet", columns))];
  const room = Math.max(1, Math.min(MAX_WORKER_ROWS, rows - OTHER_ROWS));
  // A worker that is still there is worth more than one that has ended.
  const here = workers.filter(({ state }) => state !== "ended");
  const shown = (workers.length <= room ? workers : here).slice(0, room);
  const layout = layoutOf(columns, workers);
  const rest = workers.length - shown.length;
  return [
    paint("gray", fit(layout.row("worker", "state", "task", "done", "ETA"), columns)),
    ...shown.map((worker) => {
      const { state, done, etaMs } = worker;
      const eta = etaMs === undefined ? "" : formatRemaining(etaMs);
      const text = layout.row(String(worker.worker), state, taskText(worker), formatCount(done), eta);
      return fit(text, columns).replace(` ${state} `, ` ${paint(stateStyle[state], state)} `);
    }),
    ...(rest > 0 ? [paint("gray", fit(restLine(workers, shown), columns))] : []),
  ];
}

interface Layout {
  readonly row: (worker: string, state: string, task: string, done: string, eta: string) => string;
}

function layoutOf(columns: number, workers: readonly WorkerView[]): Layout {
  const done = Math.max(4, ...workers.map((worker) => formatCount(worker.done).length));
  const fixed = 6 + 2 + 5 + 2 + 2 + done + 2 + 7;
  const task = Math.max(0, Math.min(72, columns - fixed));
  return {
    row: (worker, state, text, count, eta) =>
      `${pad(worker, 6, "right")}  ${pad(state, 5)}  ${pad(text, task)}  ${pad(count, done, "right")}  ${pad(eta, 7, "right")}`.trimEnd(),
  };
}

function taskText({ task, waiting }: WorkerView): string {
  if (task === undefined) return "";
  const { ask, key, progress } = task;
  // A hash behind a name tells keys apart, not people.
  const called = progress?.name ?? key?.replace(/(?<=\S) [0-9a-f]{16}$/, "");
  const name = called === undefined ? `#${ask}` : `#${ask} ${called}`;
  const { done = 0, total = 0, label } = progress ?? {};
  const count = total > 0 ? `${formatCount(done)}/${formatCount(total)}` : done > 0 ? formatCount(done) : "";
  const said = [count, label].filter((text) => text !== undefined && text !== "").join(" ");
  const part = said === "" ? "" : ` (${said})`;
  const more = waiting > 0 ? ` +${waiting}` : "";
  return `${name}${part}${more}`;
}

function restLine(workers: readonly WorkerView[], shown: readonly WorkerView[]): string {
  const rest = workers.filter((worker) => !shown.includes(worker));
  const count = (state: WorkerView["state"]) => rest.filter((worker) => worker.state === state).length;
  const states = (["busy", "idle", "ended"] as const)
    .filter((state) => count(state) > 0)
    .map((state) => `${count(state)} ${state}`);
  const done = rest.reduce((sum, worker) => sum + worker.done, 0);
  return `     … ${formatCount(rest.length)} more: ${states.join(", ")}, ${formatCount(done)} done`;
}
