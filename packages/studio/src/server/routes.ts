import { createReadStream } from "node:fs";
import { basename } from "node:path";
import { Readable } from "node:stream";
import { onlyGiven } from "@coppice/engine/only-given";
import { JournalDamaged } from "@coppice/engine/records";
import { UsageError } from "@coppice/engine/usage-error";
import { type Context, Hono } from "hono";
import { bodyLimit } from "hono/body-limit";
import { act } from "../actions/run-actions.ts";
import { startAgain } from "../actions/start-again.ts";
import type { PageBundle } from "../page/page-bundle.ts";
import { compareRuns } from "../runs/compare-runs.ts";
import { listFiles, openFile } from "../runs/run-files.ts";
import type { TaskQuery } from "../runs/task-table.ts";
import { actionNames, type TaskState } from "../wire.ts";
import { type Access, admit, guarded } from "./access.ts";
import { pageHtml } from "./page-html.ts";
import type { Studio } from "./studio.ts";

const MOST_BODY_BYTES = 64 * 1024;
const STREAM = { "content-type": "text/event-stream; charset=utf-8", "x-accel-buffering": "no" };

/** Everything the studio answers. */
export function routes(studio: Studio, page: PageBundle, access: Access): Hono {
  const app = new Hono();
  app.use(guarded);
  // The page's code is not a secret, and is asked for without the token that the page itself needed.
  const asset = (body: Buffer, type: string) => (context: Context) =>
    context.body(new Uint8Array(body), 200, { "content-type": type });
  app.get("/studio.js", asset(page.script, "text/javascript; charset=utf-8"));
  app.get("/studio.css", asset(page.style, "text/css; charset=utf-8"));
  app.get("/favicon.ico", (context) => context.body(null, 204));
  app.use(admit(access));
  app.onError((error, context) => {
    const [status, said] = refusalOf(error);
    if (status === 500) console.error(`${context.req.method} ${context.req.path}: ${error.stack ?? error.message}`);
    return context.json({ error: said }, status);
  });
  app.notFound((context) => context.json({ error: "there is nothing here" }, 404));

  app.get("/", (context) => context.html(pageHtml));
  app.get("/api/runs", (context) => context.json(studio.lister.list()));
  app.get("/api/runs/stream", (context) =>
    context.body(studio.listFeed().listen(context.req.header("last-event-id")), 200, STREAM),
  );
  app.get("/api/compare", ({ req, json }) => {
    const detail = (place: string, id: string) => studio.detail(Number(req.query(place)), req.query(id) ?? "");
    return json(compareRuns(detail("placeA", "a"), detail("placeB", "b")));
  });
  app.get("/api/hooks", async (context) => {
    const { readHooksView } = await import("@coppice/hooks/view");
    return context.json(await readHooksView(studio.project, process.env, Date.now()));
  });
  app.get("/api/jobs", (context) => context.json(studio.jobs.list()));

  const run = new Hono();
  run.get("/", (context) => context.json(studio.detail(...named(context))));
  run.get("/stream", (context) =>
    context.body(studio.runFeed(...named(context)).listen(context.req.header("last-event-id")), 200, STREAM),
  );
  run.get("/tasks", (context) =>
    context.json(
      studio
        .run(...named(context))
        .tasks()
        .window(taskQuery(context)),
    ),
  );
  run.get("/tasks/:ask", (context) => {
    const detail = studio
      .run(...named(context))
      .tasks()
      .detail(Number(context.req.param("ask")));
    return detail === undefined ? context.notFound() : context.json(detail);
  });
  run.get("/view", async (context) => {
    const view = await studio.views.of(studio.run(...named(context)));
    if (view !== undefined) return context.json(view);
    return context.json({ error: "this run has nothing of its own to show, or not before it has ended" }, 404);
  });
  run.get("/files", (context) => context.json(listFiles(studio.directory(...named(context)))));
  run.get("/file", (context) => {
    const inside = context.req.query("path") ?? "";
    const { fd, bytes } = openFile(studio.directory(...named(context)), inside);
    // As far as it went when it was opened: a journal grows while it is read.
    const stream =
      bytes === 0
        ? createReadStream("", { fd, start: 0, end: 0 })
        : createReadStream("", { fd, start: 0, end: bytes - 1 });
    return context.body(Readable.toWeb(stream) as ReadableStream, 200, {
      "content-type": "text/plain; charset=utf-8",
      "content-security-policy": "default-src 'none'; sandbox",
      "content-disposition": `${/\.html?$/i.test(inside) ? "attachment" : "inline"}; filename*=UTF-8''${encodeURIComponent(basename(inside))}`,
    });
  });
  const limited = bodyLimit({ maxSize: MOST_BODY_BYTES });
  run.put("/marks", limited, async (context) => context.json(studio.mark(...named(context), await bodyOf(context))));
  run.post("/actions", limited, async (context) => {
    const { action } = (await bodyOf(context)) as { readonly action?: unknown };
    const name = actionNames.find((each) => each === action);
    if (name === undefined) throw new UsageError(`an action is one of ${actionNames.join(", ")}`);
    return context.json(act(name, studio.detail(...named(context)), studio.jobs));
  });
  run.post("/again", limited, async (context) => {
    const { words } = (await bodyOf(context)) as { readonly words?: unknown };
    return context.json(startAgain(studio.directory(...named(context)), words, studio.jobs));
  });
  app.route("/api/runs/:place/:id", run);
  return app;
}

/** What is said of an error. One that nobody thought of may name anything: it is for the terminal of the studio only. */
function refusalOf(error: Error): [status: 400 | 404 | 500, said: string] {
  if (error instanceof UsageError || error instanceof JournalDamaged) return [400, error.message];
  if (error instanceof SyntaxError) return [400, `a file of this run is not JSON: ${error.message}`];
  if ("code" in error && error.code === "ENOENT") return [404, "a file of this run is gone"];
  return [500, "this could not be read; the terminal of the studio says why"];
}

function named(context: Context): [place: number, id: string] {
  return [Number(context.req.param("place")), context.req.param("id") ?? ""];
}

/** Only JSON: what a form of another site can send is something else. */
async function bodyOf(context: Context): Promise<unknown> {
  const type = context.req.header("content-type") ?? "";
  if (!type.startsWith("application/json")) throw new UsageError("the body must be application/json");
  try {
    return (await context.req.json()) as unknown;
  } catch {
    throw new UsageError("the body is not JSON");
  }
}

function taskQuery({ req }: Context): TaskQuery {
  const whole = (name: string, usual: number): number => {
    const value = Number(req.query(name) ?? usual);
    if (!Number.isInteger(value) || value < 0) throw new UsageError(`${name} must be a whole number from 0`);
    return value;
  };
  const sort = (["ask", "elapsed", "attempts"] as const).find((each) => each === req.query("sort"));
  const states: readonly TaskState[] = ["waiting", "running", "done", "cached", "failed", "withdrawn"];
  const state = states.find((each) => each === req.query("state"));
  const search = req.query("search");
  return {
    from: whole("from", 0),
    count: whole("count", 100),
    ...onlyGiven({ sort, state, search }),
    descending: req.query("descending") === "true",
  };
}
