import type { EmbeddedRun, FileRow, TaskDetail, TaskRow, TaskWindow } from "../src/wire.ts";

/** What the server would answer about a run's files and tasks, from what an exported file has of them. */
export function embeddedAnswer(
  { tasks, files }: EmbeddedRun,
  path: string,
): readonly FileRow[] | TaskWindow | TaskDetail {
  const { pathname, searchParams } = new URL(path, "file:");
  if (pathname.endsWith("/files")) return files;
  if (pathname.endsWith("/tasks")) return windowOf(tasks, searchParams);
  const ask = Number(pathname.slice(pathname.lastIndexOf("/") + 1));
  const row = tasks.rows.find((each) => each.ask === ask);
  if (row === undefined) throw new Error(`there is no task ${ask} in this file`);
  return detailOf(row);
}

function windowOf({ rows }: TaskWindow, query: URLSearchParams): TaskWindow {
  const [state, search] = [query.get("state"), query.get("search")];
  const found = rows.filter(
    ({ key, candidate = "", ...row }) =>
      (state === null || row.state === state) &&
      (search === null || key.includes(search) || candidate.includes(search)),
  );
  const by = query.get("sort") === "elapsed" ? "elapsedMs" : query.get("sort") === "attempts" ? "attempts" : "ask";
  found.sort((a, b) => (a[by] ?? 0) - (b[by] ?? 0) || a.ask - b.ask);
  if (query.get("descending") === "true") found.reverse();
  const from = Number(query.get("from"));
  return { total: found.length, from, rows: found.slice(from, from + Number(query.get("count"))) };
}

/** The last attempt only: the others are in the run's journal. */
function detailOf(row: TaskRow): TaskDetail {
  const { attempts, worker = -1, atMs, elapsedMs, outcome, state } = row;
  if (atMs === undefined || elapsedMs === undefined || outcome === undefined) return { ...row, attemptsMade: [] };
  return {
    ...row,
    attemptsMade: [{ attempt: attempts, worker, atMs, elapsedMs, text: outcome, ok: state !== "failed" }],
  };
}
