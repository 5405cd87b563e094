import assert from "node:assert/strict";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, describe, it } from "node:test";
import type { RunEvent } from "../contract/event.ts";
import type { Outcome } from "../contract/outcome.ts";
import type { PoolFactory } from "../contract/pool.ts";
import type { Proposal, Search, SearchProgress } from "../contract/search.ts";
import { RunView } from "../display/run-view.ts";
import { type Run, RunNotDone } from "../driver/run.ts";
import { start } from "../driver/start.ts";
import { readJournal } from "../journal/reader.ts";
import { inline } from "../pools/in-process.ts";
import { threads } from "../pools/threads.ts";
import { readReport } from "../report/read-report.ts";
import { renderRun } from "../report/render-run.ts";
import { RunFollower } from "./run-follower.ts";

/** Tries 0 … total − 1 and keeps the largest square. */
class Squares implements Search<number, number, number> {
  readonly #total: number;
  #asked = 0;
  #told = 0;
  #best = 0;

  constructor(total: number) {
    this.#total = total;
  }

  ask(): Proposal<number> {
    if (this.#asked === this.#total) return this.#told === this.#total ? { kind: "done" } : { kind: "wait" };
    const n = this.#asked++;
    return { kind: "candidate", candidate: n, key: `n=${n}` };
  }

  tell(outcome: Outcome<number>): void {
    this.#told++;
    if (outcome.ok) this.#best = Math.max(this.#best, outcome.value);
  }

  result(): number {
    return this.#best;
  }

  progress(): SearchProgress {
    return { best: this.#best, levels: [{ name: "Squares", done: this.#told, total: this.#total }] };
  }
}

const evaluator = new URL("../../test/evaluators/timed-square.ts", import.meta.url);

describe("a run's directory", () => {
  const scratch = mkdtempSync(join(tmpdir(), "coppice-readers-"));
  after(() => rmSync(scratch, { recursive: true, force: true }));

  const begin = (directory: string, pool: PoolFactory, resume = false): Promise<Run<number>> =>
    start({
      search: new Squares(40),
      evaluator,
      pool,
      lookahead: 16,
      retries: 1,
      backoffMs: 1,
      timers: true,
      journal: { directory, resume, tool: "squares", options: { total: 40 } },
    });

  for (const [name, pool] of [
    ["inline", inline()],
    ["threads", threads({ workers: 2 })],
  ] as const) {
    it(`holds logs, events and result when the run has finished, ${name}`, async () => {
      const directory = join(scratch, name);
      const run = await begin(directory, pool);
      const { result } = await run.finished;
      assert.equal(result, 39 * 39);
      assert.deepEqual(readdirSync(directory).sort(), [
        "events.ndjson",
        "journal.ndjson",
        "logs",
        "result.json",
        "run.json",
      ]);
      const log = readFileSync(join(directory, "logs", "run.log"), "utf8");
      assert.match(log, /"event":"run-started"/);
      assert.match(log, /"event":"worker-summary"/);
      const said = readdirSync(join(directory, "logs"))
        .filter((file) => file.startsWith("worker-"))
        .map((file) => readFileSync(join(directory, "logs", file), "utf8"))
        .join("");
      assert.equal(said.match(/"msg":"squaring 5"/g)?.length, 1);
    });

    it(`tells later what it told live, ${name}`, () => {
      const report = readReport(join(scratch, name));
      const { counts, asked, told, best, levels, failures, timers, end, workers, timeline } = report;
      assert.deepEqual([counts.completed, counts.failed, counts.retried], [39, 1, 7]);
      assert.deepEqual([asked, told, best], [40, 40, 39 * 39]);
      assert.deepEqual(levels, [{ name: "Squares", done: 40, total: 40 }]);
      assert.equal(end?.state, "done");
      assert.equal(failures.total, 8);
      assert.match(failures.shown.find(({ ask }) => ask === 13)?.detail.stack ?? "", /timed-square\.ts/);
      assert.equal(timeline.spans?.length, 47);
      assert.equal(
        workers.reduce((sum, { done, failed }) => sum + done + failed, 0),
        47,
      );
      assert.deepEqual(timers.map(({ name: timer, count }) => [timer, count]).sort(), [
        ["square", 39],
        ["square.wait", 39],
      ]);
      assert.ok(timers.reduce((sum, { share }) => sum + share, 0) <= 1);
      const text = renderRun(report);
      for (const part of [`run ${name}: done`, "square.wait", "13 is <unlucky>", '{"total":40}']) {
        assert.ok(text.includes(part), part);
      }
    });
  }

  it("counts what a task said last once, also if that was in the millisecond in which it ended", () => {
    const directory = join(scratch, "inline");
    const said: Extract<RunEvent, { type: "progress" }>[] = [];
    const say = (at: number, ask: number, done: number) =>
      said.push({ type: "progress", at, ask, progress: { done, total: 1, unit: "squares" } });
    readJournal(join(directory, "journal.ndjson"), (entry) => {
      if (entry.type === "started") for (const ask of entry.asks) say(entry.at, ask, 0);
      if (entry.type === "completed") say(entry.at, entry.ask, 1);
    });
    const lines = said.sort((a, b) => a.at - b.at).map((event) => `${JSON.stringify(event)}\n`);
    writeFileSync(join(directory, "events.ndjson"), lines.join(""));
    const view = new RunView();
    new RunFollower(directory).catchUp((event) => view.see(event));
    const { work } = view.at(0);
    assert.deepEqual([work?.unit, work?.done], ["squares", 39]);
  });

  it("has one report over all sessions of a run that was interrupted and resumed", async () => {
    const directory = join(scratch, "resumed");
    const first = await begin(directory, inline());
    let completed = 0;
    first.subscribe((event) => {
      if (event.type === "completed" && ++completed === 10) first.interrupt("enough for today");
    });
    await assert.rejects(first.finished, RunNotDone);
    const { end } = readReport(directory);
    assert.deepEqual(end?.state === "interrupted" && end.message, "enough for today");
    assert.equal(existsSync(join(directory, "result.json")), false);

    const second = await begin(directory, inline(), true);
    const view = new RunView();
    let keyless = 0;
    second.subscribe((event) => {
      view.see(event);
      const task = view.at(event.at).workers[0]?.task;
      if (task !== undefined && task.key !== `n=${task.ask}`) keyless++;
    });
    await second.finished;
    assert.equal(keyless, 0);

    const report = readReport(directory);
    assert.equal(report.sessions, 2);
    assert.ok(report.reused >= 10, `${report.reused}`);
    assert.equal(report.timeline.sessionsMs.length, 1);
    assert.equal(report.counts.completed, 39);
    // Work that the interruption cut short has taken time too.
    const timed = report.timers.find(({ name }) => name === "square")?.count ?? 0;
    assert.ok(timed >= 39 && timed <= 41, `${timed}`);
    assert.equal(report.curve.at(-1)?.best, 39 * 39);
    const log = readFileSync(join(directory, "logs", "run.log"), "utf8");
    assert.equal(log.match(/"event":"run-started"/g)?.length, 2);
    assert.match(log, /outcomes reused from the journal/);
  });

  it("can be read while its run goes on, without its logs, and from the journal alone", async () => {
    const directory = join(scratch, "going");
    const run = await begin(directory, inline());
    let seen = false;
    run.subscribe((event) => {
      if (event.type !== "told" || event.told < 20 || seen) return;
      seen = true;
      const { end, counts } = readReport(directory);
      assert.equal(end, undefined);
      assert.ok(counts.completed > 10);
    });
    await run.finished;
    assert.ok(seen);
    const report = readReport(directory);
    rmSync(join(directory, "logs"), { recursive: true });
    assert.deepEqual(readReport(directory), report);
    assert.equal(report.best, 39 * 39);
    rmSync(join(directory, "events.ndjson"));
    const { best, counts, end } = readReport(directory);
    assert.deepEqual([best, counts.completed, end?.state], [undefined, 39, "done"]);
  });

  it("tells a follower what the run's own readers hear, over an interruption and to the end", async () => {
    const directory = join(scratch, "followed");
    const followed = new RunView();
    const workers: number[] = [];
    let follower: RunFollower | undefined;
    const catchUp = () => {
      follower ??= new RunFollower(directory);
      return follower.catchUp((event) => {
        if (event.type === "run-started") workers.push(event.start.workers);
        followed.see(event);
      });
    };
    const follow = (run: Run<number>, until: number): RunView => {
      const view = new RunView();
      let completed = 0;
      run.subscribe((event) => {
        view.see(event);
        if (event.type !== "completed") return;
        assert.equal(catchUp(), "running");
        if (++completed === until) run.interrupt("enough for today");
      });
      return view;
    };
    const first = await begin(directory, threads({ workers: 2 }));
    follow(first, 10);
    await assert.rejects(first.finished, RunNotDone);
    assert.equal(catchUp(), "ended");
    const second = await begin(directory, inline(), true);
    const live = follow(second, Number.POSITIVE_INFINITY);
    await second.finished;
    assert.equal(catchUp(), "ended");
    const { told, asked, best, levels, end, resumed, counts } = followed.at(0);
    assert.deepEqual({ told, asked, best, levels }, { told: 40, asked: 40, best: 39 * 39, levels: live.at(0).levels });
    assert.deepEqual([counts.completed, counts.failed, workers], [39, 1, [2, 1]]);
    assert.equal(end?.state, "done");
    assert.equal(resumed?.reasons.at(-1), "the last session was interrupted: enough for today");
  });

  it("is gone when the run came to nothing", async () => {
    const directory = join(scratch, "nothing");
    const run = await start({
      search: new Squares(3),
      evaluator: new URL("../../test/evaluators/broken-setup.ts", import.meta.url),
      pool: inline(),
      journal: { directory },
    });
    await assert.rejects(run.finished, /no such volume file/);
    assert.equal(existsSync(directory), false);
  });
});
