import { formatCount, formatMeasured, formatRemaining, formatValue } from "@coppice/engine/figures";
import { signal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { RunList, RunListChange, RunRow } from "../../src/wire.ts";
import { CsvButton } from "../chart/plain-table.tsx";
import { follow } from "../connection.ts";
import { link } from "../route.ts";
import { StateMark } from "../state-mark.tsx";
import { type Choice, type Column, chosen } from "./run-rows.ts";

const list = signal<RunList | undefined>(undefined);
const choice = signal<Choice>({ search: "", state: "", tool: "", sort: "started", descending: true });
/** Runs that were ticked, by place and id; two can be compared. */
const ticked = signal<readonly string[]>([]);

const nameOf = ({ place, id }: { readonly place: number; readonly id: string }) => `${place}/${id}`;

function apply({ runs, gone }: RunListChange): void {
  if (list.value === undefined) return;
  const rows = new Map(list.value.runs.map((run) => [nameOf(run), run]));
  for (const run of runs) rows.set(nameOf(run), run);
  for (const run of gone) rows.delete(nameOf(run));
  list.value = { ...list.value, runs: [...rows.values()] };
}

/** Every run there is: found, sorted, live. */
export function RunsPage() {
  useEffect(() => {
    document.title = "Runs · Coppice studio";
    return follow("/api/runs/stream", {
      snapshot: (state) => {
        list.value = state as RunList;
      },
      change: (change) => apply(change as RunListChange),
    });
  }, []);
  if (list.value === undefined) return <p class="muted">Reading the runs …</p>;
  const { places, runs } = list.value;
  const rows = chosen(runs, choice.value);
  return (
    <>
      <div class="row">
        <h1>Runs</h1>
        <span class="muted">{places.map(({ path }) => path).join(", ")}</span>
      </div>
      <Toolbar runs={runs} rows={rows} />
      {runs.length === 0 ? (
        <p class="muted">
          There are no runs here yet. <code>coppice demo</code> makes some.
        </p>
      ) : (
        <section class="panel flush" aria-label="Runs">
          <table class="runs">
            <thead>
              <tr>
                <th>
                  <span class="visually-hidden">Select</span>
                </th>
                <Head column="id" title="Run" />
                <Head column="tool" title="Tool" />
                <Head column="state" title="State" />
                <Head column="progress" title="Tasks" number />
                <Head column="best" title="Best" number />
                <Head column="duration" title="Duration" number />
                <Head column="started" title="Started" />
                <Head column="digest" title="Digest" />
                <th>Tags, note</th>
              </tr>
            </thead>
            <tbody>
              {rows.map((run) => (
                <Row key={nameOf(run)} run={run} several={places.length > 1} />
              ))}
            </tbody>
          </table>
        </section>
      )}
    </>
  );
}

const started = (at: string) => new Date(at).toLocaleString(undefined, { dateStyle: "medium", timeStyle: "short" });

function change(part: Partial<Choice>): void {
  choice.value = { ...choice.value, ...part };
}

function Toolbar({ runs, rows }: { readonly runs: readonly RunRow[]; readonly rows: readonly RunRow[] }) {
  const { search, state, tool } = choice.value;
  const [a, b] = ticked.value;
  const values = (of: (run: RunRow) => string | undefined) =>
    [...new Set(runs.map(of).filter((value) => value !== undefined))].sort();
  return (
    <div class="row">
      <input
        type="search"
        aria-label="Search runs"
        placeholder="Run, tag, note"
        value={search}
        onInput={({ currentTarget }) => change({ search: currentTarget.value })}
      />
      <select aria-label="State" value={state} onChange={({ currentTarget }) => change({ state: currentTarget.value })}>
        <option value="">any state</option>
        {values((run) => run.state).map((value) => (
          <option key={value}>{value}</option>
        ))}
      </select>
      <select aria-label="Tool" value={tool} onChange={({ currentTarget }) => change({ tool: currentTarget.value })}>
        <option value="">any tool</option>
        {values((run) => run.tool).map((value) => (
          <option key={value}>{value}</option>
        ))}
      </select>
      <span class="muted" role="status">
        {formatCount(rows.length)} of {formatCount(runs.length)}
      </span>
      <CsvButton
        title="runs"
        columns={["run", "tool", "state", "tasks", "best", "milliseconds", "started", "digest", "tags", "note"]}
        rows={rows.map(({ id, tool, state: stands, tells, best, tookMs, startedAt, digest, marks }) => [
          ...[id, tool ?? "", stands, tells ?? "", best ?? "", tookMs ?? ""],
          ...[startedAt === undefined ? "" : new Date(startedAt).toISOString(), digest ?? ""],
          ...[marks.tags.join(" "), marks.note],
        ])}
      />
      {ticked.value.length === 2 ? (
        <a href={link("compare", ...a.split("/"), ...b.split("/"))}>Compare the two</a>
      ) : (
        <span class="muted small">{ticked.value.length === 1 ? "Tick another one to compare." : ""}</span>
      )}
    </div>
  );
}

function Head({
  column,
  title,
  number = false,
}: {
  readonly column: Column;
  readonly title: string;
  readonly number?: boolean;
}) {
  const { sort, descending } = choice.value;
  const isSorted = sort === column;
  return (
    <th class={number ? "number" : ""} aria-sort={isSorted ? (descending ? "descending" : "ascending") : "none"}>
      <button type="button" class="plain" onClick={() => change({ sort: column, descending: isSorted && !descending })}>
        {title}
        {isSorted ? (descending ? " ↓" : " ↑") : ""}
      </button>
    </th>
  );
}

function Row({ run, several }: { readonly run: RunRow; readonly several: boolean }) {
  const name = nameOf(run);
  const isTicked = ticked.value.includes(name);
  const toggle = (): void => {
    ticked.value = isTicked ? ticked.value.filter((each) => each !== name) : [...ticked.value, name].slice(-2);
  };
  return (
    <tr>
      <td>
        <input type="checkbox" aria-label={`Select run ${run.id}`} checked={isTicked} onChange={toggle} />
      </td>
      <td>
        <a href={link("run", run.place, run.id)}>{run.id}</a>
        {several && <span class="muted small"> in {run.place + 1}</span>}
      </td>
      <td class="tool">{run.tool ?? ""}</td>
      <td class="standing">
        <StateMark state={run.state} />
      </td>
      <td class="number progress" data-label="Tasks">
        {run.tells === undefined ? "" : formatCount(run.tells)}
        {run.state === "running" && (
          <>
            {run.etaMs !== undefined && <div class="small muted">ETA {formatRemaining(run.etaMs)}</div>}
            <progress aria-label={`Progress of run ${run.id}`} max={1} value={run.fraction ?? 0} />
          </>
        )}
      </td>
      <td class="number best" data-label="Best">
        {run.best === undefined ? null : formatValue(run.best)}
      </td>
      <td class="number took" data-label="Duration">
        {run.tookMs === undefined ? null : formatMeasured(run.tookMs)}
      </td>
      <td class="started">{run.startedAt === undefined ? "" : started(run.startedAt)}</td>
      <td class="digest">
        <code title={run.digest}>{run.digest?.slice(0, 12) ?? ""}</code>
      </td>
      <td class="note">
        {run.marks.tags.map((tag) => (
          <button type="button" class="tag" key={tag} onClick={() => change({ search: tag })}>
            {tag}
          </button>
        ))}
        <span class="small"> {run.marks.note}</span>
        {run.message !== undefined && <div class="small bad-text">{run.message}</div>}
      </td>
    </tr>
  );
}
