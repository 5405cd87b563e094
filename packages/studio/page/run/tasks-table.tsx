import { formatCount, formatMeasured } from "@coppice/engine/figures";
import { useSignal } from "@preact/signals";
import { useEffect, useMemo, useRef } from "preact/hooks";
import type { TaskRow } from "../../src/wire.ts";
import { saveCsv } from "../chart/save.ts";
import { embedded } from "../connection.ts";
import { StateMark } from "../state-mark.tsx";
import { TaskDetailPanel } from "./task-detail.tsx";
import { TaskPages } from "./task-pages.ts";

/** Height of a row; on a phone it has three lines. */
const [ROW, PHONE_ROW] = [30, 80];
/** Browsers draw nothing beyond some 16 million pixels; a longer table is shown up to there, and searched for the rest. */
const MOST_PIXELS = 15_000_000;
const phone = window.matchMedia("(max-width: 640px)");
const REFRESH_MS = 1000;
const states = ["waiting", "running", "done", "cached", "failed", "withdrawn"] as const;

/** Every task of the run; only the rows in sight are in the page. */
export function TasksTable({ path, told }: { readonly path: string; readonly told: number }) {
  const search = useSignal("");
  const state = useSignal("");
  const sort = useSignal("ask");
  const top = useSignal(0);
  const height = useSignal(520);
  const selected = useSignal<number | undefined>(undefined);
  const said = useSignal("");
  const rowHeight = useSignal(phone.matches ? PHONE_ROW : ROW);
  useEffect(() => {
    const change = () => {
      rowHeight.value = phone.matches ? PHONE_ROW : ROW;
    };
    phone.addEventListener("change", change);
    return () => phone.removeEventListener("change", change);
  }, [rowHeight]);
  const box = useRef<HTMLDivElement>(null);
  const query = new URLSearchParams({
    ...(search.value === "" ? {} : { search: search.value }),
    ...(state.value === "" ? {} : { state: state.value }),
    sort: sort.value,
    descending: String(sort.value !== "ask"),
  }).toString();
  const pages = useMemo(() => new TaskPages(path, query), [path, query]);
  useEffect(() => {
    void pages.fetch(0);
    if (box.current !== null) box.current.scrollTop = 0;
    top.value = 0;
  }, [pages, top]);
  // What is in sight is asked for again when more was told, at most once a second.
  const refreshed = useRef(0);
  // more was told
  useEffect(() => {
    const wait = Math.max(0, refreshed.current + REFRESH_MS - performance.now());
    const timer = setTimeout(() => {
      refreshed.current = performance.now();
      pages.refresh();
    }, wait);
    return () => clearTimeout(timer);
  }, [told, pages]);

  pages.arrivals.value; // rows that arrive are shown
  const rowPx = rowHeight.value;
  const total = Math.min(Math.floor(MOST_PIXELS / rowPx), pages.total.value ?? 0);
  const first = Math.max(0, Math.floor(top.value / rowPx) - 5);
  const last = Math.min(total, Math.ceil((top.value + height.value) / rowPx) + 5);
  const rows = Array.from({ length: Math.max(0, last - first) }, (_, index) => first + index);
  const onKeyDown = (event: KeyboardEvent): void => {
    const move = { ArrowDown: 1, ArrowUp: -1, PageDown: 16, PageUp: -16 }[event.key];
    const focused = Number((event.target as HTMLElement).dataset.index ?? Number.NaN);
    if (move === undefined || Number.isNaN(focused) || box.current === null) return;
    event.preventDefault();
    const next = Math.max(0, Math.min(total - 1, focused + move));
    box.current.scrollTop = Math.max(0, next * rowPx - height.value / 2);
    top.value = box.current.scrollTop;
    const inside = box.current;
    requestAnimationFrame(() => inside.querySelector<HTMLElement>(`[data-index="${next}"]`)?.focus());
  };
  return (
    <>
      <section class="panel" aria-label="Tasks">
        <div class="row">
          <input
            type="search"
            size={28}
            aria-label="Search keys and candidates"
            placeholder="Search keys and candidates"
            onChange={({ currentTarget }) => {
              search.value = currentTarget.value;
            }}
          />
          <select
            aria-label="State of tasks"
            onChange={({ currentTarget }) => {
              state.value = currentTarget.value;
            }}
          >
            <option value="">any state</option>
            {states.map((each) => (
              <option key={each}>{each}</option>
            ))}
          </select>
          <select
            aria-label="Order of tasks"
            onChange={({ currentTarget }) => {
              sort.value = currentTarget.value;
            }}
          >
            <option value="ask">as asked</option>
            <option value="elapsed">longest first</option>
            <option value="attempts">most attempts first</option>
          </select>
          <span class="muted" role="status">
            {pages.total.value === undefined ? "" : `${formatCount(pages.total.value)} tasks`}
          </span>
          <button
            type="button"
            class="plain save"
            aria-label="CSV of tasks"
            onClick={async () => {
              said.value = await save(pages);
            }}
          >
            CSV
          </button>
          <span class="small muted" role="status">
            {said.value}
          </span>
          {embedded !== undefined && embedded.tasks.total > embedded.tasks.rows.length && (
            <span class="muted">
              This file has {embedded.tasks.rows.length === 0 ? "none" : `the first ${embedded.tasks.rows.length}`} of{" "}
              {formatCount(embedded.tasks.total)} tasks; coppice studio shows them all.
            </span>
          )}
        </div>
        <section
          class="tasks"
          ref={box}
          aria-label="Rows of tasks"
          onScroll={({ currentTarget }) => {
            top.value = currentTarget.scrollTop;
            height.value = currentTarget.clientHeight;
          }}
        >
          <table aria-rowcount={total} onKeyDown={onKeyDown}>
            <thead>
              <tr>
                <th>Ask</th>
                <th>Key and candidate</th>
                <th>State</th>
                <th class="number">Attempts</th>
                <th class="number">Worker</th>
                <th class="number">Took</th>
                <th>Outcome</th>
              </tr>
            </thead>
            <tbody>
              <Space height={first * rowPx} />
              {rows.map((index) => (
                <Task
                  key={index}
                  index={index}
                  row={pages.row(index)}
                  selected={selected.value}
                  select={(ask) => {
                    selected.value = ask;
                  }}
                />
              ))}
              <Space height={(total - last) * rowPx} />
            </tbody>
          </table>
        </section>
      </section>
      {selected.value !== undefined && <TaskDetailPanel path={path} task={selected.value} told={told} />}
    </>
  );
}

/** Returns what is to be said of it. */
async function save(pages: TaskPages): Promise<string> {
  const found = await pages.all();
  const rows = found.map(({ ask, key, candidate, state, attempts, worker, elapsedMs, outcome }) => [
    ...[ask, key, candidate ?? "", state, attempts, worker ?? "", elapsedMs ?? "", outcome ?? ""],
  ]);
  const columns = ["ask", "key", "candidate", "state", "attempts", "worker", "milliseconds", "outcome"];
  saveCsv("tasks", { columns, rows });
  const isCut = rows.length < (pages.total.value ?? 0);
  return isCut ? `The file has the first ${formatCount(rows.length)}; the run's journal has them all.` : "";
}

/** The room of rows that are not in sight. */
function Space({ height }: { readonly height: number }) {
  if (height <= 0) return null;
  return (
    <tr class="space" style={{ height: `${height}px` }}>
      <td colSpan={7} />
    </tr>
  );
}

interface TaskProps {
  readonly index: number;
  readonly row: TaskRow | undefined;
  readonly selected: number | undefined;
  readonly select: (ask: number) => void;
}

function Task({ index, row, selected, select }: TaskProps) {
  if (row === undefined) {
    return (
      <tr aria-rowindex={index + 1}>
        <td colSpan={7} class="muted">
          …
        </td>
      </tr>
    );
  }
  const { ask, key, candidate, state, attempts, worker = -1, elapsedMs, sameAs, outcome } = row;
  return (
    <tr aria-rowindex={index + 1} class={ask === selected ? "selected" : ""}>
      <td>
        <button
          type="button"
          class="plain"
          data-index={index}
          aria-pressed={ask === selected}
          onClick={() => select(ask)}
        >
          #{ask}
        </button>
      </td>
      <td class="mono" title={candidate === undefined ? key : `${key}\n${candidate}`}>
        {key} <span class="muted">{candidate}</span>
      </td>
      <td>
        <StateMark state={state} />
      </td>
      <td class="number" data-label="attempts">
        {attempts}
      </td>
      <td class="number" data-label="worker">
        {worker < 0 ? "" : worker}
      </td>
      <td class="number" data-label="took">
        {elapsedMs === undefined ? "" : formatMeasured(elapsedMs)}
      </td>
      <td class="mono">
        {sameAs === undefined ? "" : `as #${sameAs}: `}
        {outcome}
      </td>
    </tr>
  );
}
