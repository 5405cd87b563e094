import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { inline } from "@coppice/engine";
import { JournalDamaged, readReport, writeCommandFile } from "@coppice/engine/records";
import { beginRun } from "../../test/recorded-run.ts";
import type { PageBundle } from "../page/page-bundle.ts";
import type { Job, RunDetail, RunList, TaskDetail, TaskWindow } from "../wire.ts";
import { type OpenStudio, openStudio } from "./open-studio.ts";
import { routes } from "./routes.ts";
import type { Studio } from "./studio.ts";

const command = { program: process.execPath, args: ["-e", "console.log(process.argv.slice(1))"], name: "coppice" };
const ONLY_LOOK = "without a token one can only look: start the studio without --no-auth";
const SCRIPT = '<script>document.title="broken"</script>';

describe("the studio's server", () => {
  const scratch = mkdtempSync(join(tmpdir(), "coppice-studio-"));
  const runs = join(scratch, "runs");
  let studio: OpenStudio;
  let base: URL;
  let token: string;

  before(async () => {
    mkdirSync(runs);
    await (await beginRun(join(runs, "1"), { tasks: 30, failEvery: 10, pool: inline() })).finished;
    await (await beginRun(join(runs, "2"), { tasks: 3, text: SCRIPT, pool: inline() })).finished;
    studio = await openStudio({ places: [runs], command });
    base = new URL(studio.url);
    token = base.searchParams.get("token") ?? "";
  });
  after(async () => {
    await studio.close();
    rmSync(scratch, { recursive: true, force: true });
  });

  interface Answer {
    readonly status: number;
    readonly body: string;
    readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  }

  /** A request exactly as written: `fetch` would tidy the path and choose the headers. */
  function ask(path: string, headers: Record<string, string> = {}, method = "GET", body?: string): Promise<Answer> {
    return new Promise((resolve, reject) => {
      const { hostname, port } = base;
      const sent = request({ hostname, port, path, method, headers }, (response) => {
        let text = "";
        response.setEncoding("utf8").on("data", (part: string) => {
          text += part;
        });
        response.on("end", () => resolve({ status: response.statusCode ?? 0, body: text, headers: response.headers }));
      });
      sent.on("error", reject);
      sent.end(body);
    });
  }
  const asked = (path: string, headers = {}, method = "GET", body?: string) =>
    ask(path, { authorization: `Bearer ${token}`, ...headers }, method, body);
  const json = async <T>(path: string): Promise<T> => JSON.parse((await asked(path)).body) as T;

  it("answers nobody without the token, and its page needs it too", async () => {
    for (const path of [
      "/",
      "/api/runs",
      "/api/runs/0/1",
      "/api/runs/0/1/stream",
      "/api/runs/0/1/file?path=run.json",
    ]) {
      assert.equal((await ask(path)).status, 401, path);
      const wrong = `${path}${path.includes("?") ? "&" : "?"}token=${token.slice(1)}`;
      assert.equal((await ask(wrong)).status, 401, wrong);
    }
    assert.equal((await ask(`/?token=${token}`)).status, 200);
    const stop = await ask(
      "/api/runs/0/1/actions",
      { "content-type": "application/json" },
      "POST",
      '{"action":"verify"}',
    );
    assert.equal(stop.status, 401);
  });

  it("answers by every name of the machine where it is open at every address, and asks for the token there", async () => {
    const open = await openStudio({ places: [runs], command, host: "0.0.0.0" });
    const url = new URL(open.url);
    const { port } = url;
    for (const host of [url.host, `127.0.0.1:${port}`, `localhost:${port}`]) {
      assert.equal((await fetch(`http://${host}/api/runs${url.search}`)).status, 200, host);
      assert.equal((await fetch(`http://${host}/api/runs`)).status, 401, host);
    }
    await open.close();
    await assert.rejects(openStudio({ places: [runs], command, host: "" }), /--host is empty/);
  });

  it("refuses other sites, other names and what a form can send, token or not", async () => {
    assert.equal((await asked("/api/runs", { origin: "http://evil.example" })).status, 403);
    assert.equal((await asked("/api/runs", { origin: "null" })).status, 403);
    assert.equal((await asked("/api/runs", { "sec-fetch-site": "cross-site" })).status, 403);
    assert.equal((await asked("/api/runs", { "sec-fetch-site": "same-site" })).status, 403);
    assert.equal((await asked("/api/runs", { host: "evil.example" })).status, 421);
    const action = '{"action":"verify"}';
    assert.equal((await asked("/api/runs/0/1/actions", { "content-type": "text/plain" }, "POST", action)).status, 400);
    assert.equal((await asked("/api/runs/0/1/actions", { origin: "http://x" }, "POST", action)).status, 403);
  });

  it("sends a strict policy with every answer", async () => {
    for (const path of ["/", "/api/runs", "/studio.js", "/nothing"]) {
      const { headers } = await asked(path);
      assert.match(String(headers["content-security-policy"]), /default-src 'none'; script-src 'self';/, path);
      assert.equal(headers["x-content-type-options"], "nosniff");
      assert.equal(headers["set-cookie"], undefined);
      assert.equal(headers["access-control-allow-origin"], undefined);
    }
  });

  it("opens no file outside a run, whatever the path or the links in it", async () => {
    const secret = join(scratch, "secret.txt");
    writeFileSync(secret, "secret");
    mkdirSync(join(scratch, "elsewhere"));
    writeFileSync(join(scratch, "elsewhere", "inside.txt"), "secret");
    symlinkSync(secret, join(runs, "1", "link.txt"));
    symlinkSync(join(scratch, "elsewhere"), join(runs, "1", "folder"));
    symlinkSync(join(runs, "1"), join(runs, "linked-run"));
    execFileSync("mkfifo", [join(runs, "1", "pipe")]);
    const paths = [
      "../../secret.txt",
      "..%2f..%2fsecret.txt",
      "logs/../../../secret.txt",
      "%2e%2e/%2e%2e/secret.txt",
      encodeURIComponent(secret),
      "link.txt",
      "folder/inside.txt",
      "folder",
      "pipe",
      "logs",
      "..\\..\\secret.txt",
      "run.json%00.txt",
      "",
    ];
    for (const path of paths) {
      const { status, body } = await asked(`/api/runs/0/1/file?path=${path}`);
      assert.equal(status, 400, `${path}: ${body}`);
      assert.doesNotMatch(body, /^secret$/m);
    }
    for (const path of [
      "/../secret.txt",
      "/api/runs/0/../../secret.txt/file?path=x",
      "/api/runs/0/..%2f..%2fscratch/",
    ]) {
      assert.notEqual((await asked(path)).status, 200, path);
    }
    assert.equal((await asked("/api/runs/0/linked-run")).status, 400);
    assert.equal((await asked("/api/runs/-1/1")).status, 400);
    assert.equal((await asked("/api/runs/1/1")).status, 400);
    const listed = await json<readonly { readonly path: string }[]>("/api/runs/0/1/files");
    assert.deepEqual(
      listed.map(({ path }) => path).filter((path) => /link|folder|pipe/.test(path)),
      [],
    );
    assert.equal(
      (await asked("/api/runs/0/1/file?path=run.json")).body,
      readFileSync(join(runs, "1", "run.json"), "utf8"),
    );
  });

  it("serves a run's own page as text that can do nothing", async () => {
    writeFileSync(join(runs, "2", "report.html"), "<script>alert(1)</script>");
    const { headers } = await asked("/api/runs/0/2/file?path=report.html");
    assert.equal(headers["content-type"], "text/plain; charset=utf-8");
    assert.match(String(headers["content-security-policy"]), /sandbox/);
    assert.match(String(headers["content-disposition"]), /^attachment/);
  });

  it("says of a run what its report says, and every task of it", async () => {
    const detail = await json<RunDetail>("/api/runs/0/1");
    const report = readReport(join(runs, "1"));
    for (const field of ["told", "asked", "best", "counts", "failures", "curve", "end", "sessions"] as const) {
      assert.deepEqual(detail[field], JSON.parse(JSON.stringify(report[field])), field);
    }
    assert.equal(detail.state, "done");
    assert.deepEqual(
      detail.actions.map(({ name }) => name),
      ["verify"],
    );
    const { total, rows } = await json<TaskWindow>("/api/runs/0/1/tasks?from=5&count=10");
    assert.equal(total, 30);
    assert.deepEqual(
      rows.map(({ ask, key, state, outcome }) => [ask, key, state, outcome]),
      [5, 6, 7, 8, 9, 10, 11, 12, 13, 14].map((n) =>
        n === 9 ? [n, `n=${n}`, "failed", "RangeError:  no square of 9"] : [n, `n=${n}`, "done", String(n * n)],
      ),
    );
    const failed = await json<TaskWindow>("/api/runs/0/1/tasks?state=failed&descending=true");
    assert.deepEqual(
      failed.rows.map(({ ask }) => ask),
      [29, 19, 9],
    );
    assert.equal((await json<TaskWindow>("/api/runs/0/1/tasks?search=n%3D2")).total, 11);
    const { attemptsMade } = await json<TaskDetail>("/api/runs/0/1/tasks/9");
    assert.deepEqual(
      attemptsMade.map(({ attempt, ok }) => [attempt, ok]),
      [[1, false]],
    );
  });

  it("keeps tags and notes beside the runs, and touches no file of a run", async () => {
    const before = readFileSync(join(runs, "1", "run.json"), "utf8");
    const marks = JSON.stringify({ tags: ["good", "good", " "], note: SCRIPT });
    const kept = await asked("/api/runs/0/1/marks", { "content-type": "application/json" }, "PUT", marks);
    assert.deepEqual(JSON.parse(kept.body), { tags: ["good"], note: SCRIPT });
    const { runs: rows } = await json<RunList>("/api/runs");
    assert.deepEqual(rows.find(({ id }) => id === "1")?.marks, { tags: ["good"], note: SCRIPT });
    assert.equal(readFileSync(join(runs, "1", "run.json"), "utf8"), before);
    const wrong = await asked("/api/runs/0/1/marks", { "content-type": "application/json" }, "PUT", '{"tags":[1]}');
    assert.equal(wrong.status, 400);
    const file = join(runs, "studio.json");
    const good = readFileSync(file, "utf8");
    writeFileSync(file, `${good} by hand`);
    const refused = await asked("/api/runs/0/1/marks", { "content-type": "application/json" }, "PUT", marks);
    assert.match(JSON.parse(refused.body).error, /studio\.json is not as the studio writes it/);
    assert.equal(readFileSync(file, "utf8"), `${good} by hand`);
    writeFileSync(file, good);
  });

  it("starts the command it shows, and nothing that is not on offer", async () => {
    const type = { "content-type": "application/json" };
    const [{ command: shown }] = (await json<RunDetail>("/api/runs/0/1")).actions;
    const started = await asked("/api/runs/0/1/actions", type, "POST", '{"action":"verify"}');
    assert.equal(JSON.parse(started.body).command, shown);
    for (const action of ["stop", "resume", "rm -rf /", 7]) {
      assert.equal((await asked("/api/runs/0/1/actions", type, "POST", JSON.stringify({ action }))).status, 400);
    }
    interface Ended {
      readonly exitCode?: number;
      readonly output: string;
    }
    let [job] = await json<Ended[]>("/api/jobs");
    while (job.exitCode === undefined) [job] = await json<Ended[]>("/api/jobs");
    assert.match(job.output, /'verify',\s+'.*runs\/1'/);
  });

  it("starts a run's command again with other options: the same command, word by word, by no shell, with a token", async () => {
    const words = ["run", "a.ts", "--seed", "1"];
    writeCommandFile(join(runs, "2"), { words: [...words, "--id", "x"], folder: scratch });
    assert.deepEqual((await json<RunDetail>("/api/runs/0/2")).again, words);
    const again = (given: unknown) =>
      asked("/api/runs/0/2/again", { "content-type": "application/json" }, "POST", JSON.stringify({ words: given }));
    for (const wrong of [["tree", "clean"], [], "run a.ts", ["run", 1], ["run", "a\0"], Array(300).fill("run")]) {
      assert.equal((await again(wrong)).status, 400, JSON.stringify(wrong));
    }
    const { id } = JSON.parse((await again(["run", "a.ts", "--seed", "$(touch x); 2"])).body) as Job;
    let job: Job | undefined;
    while (job?.exitCode === undefined) job = (await json<readonly Job[]>("/api/jobs")).find((each) => each.id === id);
    assert.match(job.output, /'\$\(touch x\); 2'/);
    assert.ok(!existsSync(join(scratch, "x")));
    const unguarded = await openStudio({ places: [runs], command, auth: false });
    const { again: offered, mayAct } = (await (await fetch(`${unguarded.url}api/runs/0/2`)).json()) as RunDetail;
    assert.deepEqual([offered, mayAct], [undefined, false]);
    await unguarded.close();
  });

  it("lets whoever has no token look, and do nothing", async () => {
    const unguarded = await openStudio({ places: [runs], command, auth: false });
    const send = (path: string, method: string, body: object) => {
      const headers = { "content-type": "application/json" };
      return fetch(`${unguarded.url}api/runs/0/1/${path}`, { method, headers, body: JSON.stringify(body) });
    };
    const kept = readFileSync(join(runs, "studio.json"), "utf8");
    for (const [path, method, body] of [
      ["actions", "POST", { action: "verify" }],
      ["actions", "POST", { action: "stop" }],
      ["again", "POST", { words: ["run"] }],
      ["marks", "PUT", { tags: ["a"], note: "" }],
    ] as const) {
      const answer = await send(path, method, body);
      assert.deepEqual([answer.status, await answer.json()], [403, { error: ONLY_LOOK }], path);
    }
    assert.deepEqual(await (await fetch(`${unguarded.url}api/jobs`)).json(), []);
    assert.equal(readFileSync(join(runs, "studio.json"), "utf8"), kept);
    await unguarded.close();
  });

  it("says what is known to be wrong, and of any other error nothing but that there was one", async (t) => {
    let thrown: Error = new Error("/home/somebody/secret");
    const lister = {
      list: () => {
        throw thrown;
      },
    };
    // Casts: only what is asked of them here.
    const app = routes({ lister } as unknown as Studio, {} as PageBundle, { token, hosts: () => [base.host] });
    const said = async () => {
      const answer = await app.request(`http://${base.host}/api/runs`, {
        headers: { host: base.host, authorization: `Bearer ${token}` },
      });
      return [answer.status, ((await answer.json()) as { readonly error: string }).error];
    };
    const printed = t.mock.method(console, "error", () => {});
    assert.deepEqual(await said(), [500, "this could not be read; the terminal of the studio says why"]);
    assert.match(String(printed.mock.calls[0].arguments[0]), /GET \/api\/runs: .*\/home\/somebody\/secret/);
    thrown = Object.assign(new Error("/home/somebody/secret"), { code: "ENOENT" });
    assert.deepEqual(await said(), [404, "a file of this run is gone"]);
    thrown = new JournalDamaged("journal.ndjson", 3, 99, "has a hole");
    assert.deepEqual(await said(), [400, "journal.ndjson line 3 (byte 99) has a hole: the journal is damaged"]);
    assert.equal(printed.mock.callCount(), 1);
  });

  it("shows a damaged journal up to its damage, and goes on serving", async () => {
    const directory = join(runs, "damaged");
    await (await beginRun(directory, { tasks: 20, pool: inline() })).finished;
    const journal = join(directory, "journal.ndjson");
    const lines = readFileSync(journal, "utf8").split("\n");
    lines[15] = lines[15].replace(/"at":\d/, '"at":9');
    writeFileSync(journal, lines.join("\n"));
    appendFileSync(join(directory, "events.ndjson"), `not json\n{"type":"told"}\n`);
    const detail = await json<RunDetail>("/api/runs/0/damaged");
    assert.equal(detail.state, "damaged");
    assert.match(detail.problem ?? "", /line 16 .* damaged/);
    const counted = detail.counts.completed;
    assert.ok(counted > 0 && counted < 20);
    assert.equal((await json<RunDetail>("/api/runs/0/damaged")).counts.completed, counted);
    assert.equal((await json<TaskWindow>("/api/runs/0/damaged/tasks")).total, 20);
  });
});
