import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { RunDetailChange } from "../../src/runs/run-change.ts";
import type { RunDetail } from "../../src/wire.ts";
import { embedded, follow } from "../connection.ts";
import { link } from "../route.ts";
import { StateMark } from "../state-mark.tsx";
import { ToolView, toolOf } from "../tools.tsx";
import { Actions } from "./actions.tsx";
import { Facts } from "./facts.tsx";
import { Files } from "./files.tsx";
import { MarksEditor } from "./marks-editor.tsx";
import { Overview } from "./overview.tsx";
import { TasksTable } from "./tasks-table.tsx";

/** What every run has. */
const tabs = { overview: "Overview", tasks: "Tasks", files: "Files", settings: "Settings" } as const;

interface RunPageProps {
  readonly place: number;
  readonly id: string;
  readonly tab: string;
}

/** Everything about one run, as it happens. */
export function RunPage({ place, id, tab }: RunPageProps) {
  const run = useSignal<RunDetail | undefined>(undefined);
  const said = useSignal("");
  const path = `/api/runs/${place}/${encodeURIComponent(id)}`;
  useEffect(() => {
    document.title = `Run ${id} · Coppice studio`;
    return follow(`${path}/stream`, {
      snapshot: (state) => {
        run.value = state as RunDetail;
      },
      change: (change) => {
        if (run.value !== undefined) run.value = changed(run.value, change as RunDetailChange);
      },
      refused: (why) => {
        said.value = why;
      },
    });
  }, [id, path, run, said]);
  const detail = run.value;
  if (said.value !== "") {
    return (
      <>
        <h1>Run {id}</h1>
        <div class="notice">{said.value}</div>
      </>
    );
  }
  if (detail === undefined) return <p class="muted">Reading run {id} …</p>;
  // An exported run has its tool's part in it, or there is none.
  const own = detail.hasView ? toolOf(detail.start?.tool).tabs : [];
  const shown = [...own.map(({ name, title }) => [name, title] as const), ...Object.entries(tabs)];
  const chosen = shown.find(([name]) => name === tab)?.[0] ?? (embedded === undefined ? "overview" : shown[0][0]);
  return (
    <>
      <div class="row">
        <h1>Run {id}</h1>
        <StateMark state={detail.state} />
        <span class="muted">{detail.start?.tool}</span>
        {detail.end?.state === "done" && <code title="digest">{detail.end.digest}</code>}
      </div>
      {detail.problem !== undefined && <div class="notice">{detail.problem}</div>}
      {detail.end !== undefined && detail.end.state !== "done" && <div class="notice">{detail.end.message}</div>}
      {embedded === undefined && (
        <Actions path={path} mayAct={detail.mayAct} actions={detail.actions} again={detail.again} />
      )}
      <nav class="tabs" aria-label="Parts of the run">
        {shown.map(([name, title]) => (
          <a key={name} href={link("run", place, id, name)} {...(name === chosen ? { "aria-current": "page" } : {})}>
            {title}
          </a>
        ))}
      </nav>
      {own.map(({ name, Tab }) => name === chosen && <ToolView key={name} path={path} run={detail} Tab={Tab} />)}
      {chosen === "overview" && <Overview run={detail} />}
      {chosen === "tasks" && <TasksTable path={path} told={detail.told} />}
      {chosen === "files" && <Files path={path} />}
      {chosen === "settings" && (
        <div class="beside">
          <Facts run={detail} />
          {detail.mayAct && <MarksEditor path={path} marks={detail.marks} />}
        </div>
      )}
    </>
  );
}

/** A run with what is different now; what is gone is null there. */
function changed(run: RunDetail, change: RunDetailChange): RunDetail {
  const fields = Object.entries({ ...run, ...change }).filter(([, value]) => value !== null);
  // Cast: the server sends the fields of a run, and only what may be absent goes away.
  return Object.fromEntries(fields) as unknown as RunDetail;
}
