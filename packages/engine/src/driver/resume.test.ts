import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import fs, { mkdtempSync, readFileSync, rmSync, truncateSync } from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, describe, it } from "node:test";
import { fileURLToPath } from "node:url";
import { interleaved } from "../../test/interleaved-pool.ts";
import { candidate, type Heard, Scripted, Shaped, when } from "../../test/searches.ts";
import { processStart } from "../child-process/process-table.ts";
import type { RunEvent } from "../contract/event.ts";
import { inline } from "../pools/in-process.ts";
import { processes } from "../pools/processes.ts";
import { threads } from "../pools/threads.ts";
import { RunNotDone } from "./run.ts";
import { start } from "./start.ts";
import type { StartOptions } from "./start-options.ts";

const evaluators = (name: string) => new URL(`../../test/evaluators/${name}.ts`, import.meta.url);

const directory = mkdtempSync(join(tmpdir(), "coppice-resume-"));
after(() => rmSync(directory, { recursive: true, force: true }));

async function finish<Candidate, Value, Result>(options: StartOptions<Candidate, Value, Result>) {
  const run = await start(options);
  const events: RunEvent[] = [];
  run.subscribe((event) => events.push(event));
  return { ...(await run.finished), events };
}

describe("resume", () => {
  it("ends a worker that has outlived its coordinator before it starts anything, and runs its task again", async () => {
    const run = join(directory, "orphan");
    const script = fileURLToPath(new URL("../../test/busy-run.ts", import.meta.url));
    const coordinator = spawn(process.execPath, [script, run], { stdio: ["ignore", "pipe", "inherit"] });
    const worker = Number(String(await new Promise((resolve) => coordinator.stdout.once("data", resolve))).trim());
    // A stopped process cannot notice that its parent dies.
    process.kill(worker, "SIGSTOP");
    const ended = new Promise((resolve) => coordinator.once("exit", resolve));
    coordinator.kill("SIGKILL");
    await ended;
    assert.notEqual(processStart(worker), undefined);
    const { events, tells } = await finish({
      search: new Scripted(candidate("a"), candidate("b"), when(2, { kind: "done" })),
      evaluator: evaluators("busy-on"),
      pool: processes({ workers: 1 }),
      context: { busyOn: "b" },
      journal: { directory: run, resume: true },
    });
    assert.equal(tells, 2);
    assert.equal(processStart(worker), undefined);
    const plan = events.find((event) => event.type === "resumed");
    assert.ok(plan?.type === "resumed");
    assert.deepEqual([plan.plan.reused, plan.plan.rerun], [1, 1]);
    assert.match(
      readFileSync(join(run, "journal.ndjson"), "utf8"),
      new RegExp(`"type":"requeued".*"ask":1.*pid ${worker}`),
    );
  });

  it("does not count an interrupted attempt as one", async () => {
    const run = join(directory, "attempts");
    const attempts: number[] = [];
    const options = (hold: boolean): StartOptions<unknown, unknown, Heard> => ({
      search: new Scripted(candidate("a"), when(1, { kind: "done" })),
      evaluator: evaluators("echo"),
      retries: 1,
      backoffMs: 1,
      journal: { directory: run, resume: attempts.length > 0 },
      pool: interleaved(
        (value, _key, attempt) => {
          attempts.push(attempt);
          if (attempt === 0) throw new Error("not yet");
          return value;
        },
        { choose: () => 0, holds: () => hold && attempts.length > 0 },
      ),
    });
    const first = await start(options(true));
    first.subscribe((event) => {
      // The second attempt is out and held: interrupt it there.
      if (event.type === "started" && attempts.length === 1) first.interrupt();
    });
    await assert.rejects(first.finished, RunNotDone);
    const { result } = await finish(options(false));
    assert.deepEqual(attempts, [0, 1]);
    assert.deepEqual(result, [[0, '{"ok":true,"value":"a"}']]);
  });

  it("gives the same digest from any place at which a run is interrupted, on another pool each time", async () => {
    const shape = { kind: "waiting", total: 40, width: 6, keys: 35, withdrawEvery: 7 } as const;
    const context = { noise: 1, longestMs: 1, failOneIn: 6, flakyOneIn: 5, crashes: undefined };
    const base = { evaluator: evaluators("eventful"), context, lookahead: 32, seed: 5, retries: 1, backoffMs: 1 };
    const whole = await finish({ ...base, search: new Shaped(shape), pool: inline() });
    const pools = [inline(), threads({ workers: 2 }), processes({ workers: 2 })];
    const run = join(directory, "anywhere");
    for (let stop = 4, session = 0; ; stop += 5, session++) {
      const going = await start({
        ...base,
        search: new Shaped(shape),
        pool: pools[session % 3] ?? inline(),
        journal: { directory: run, resume: session > 0 },
      });
      going.subscribe((event) => event.type === "told" && event.told >= stop && going.interrupt());
      const end = await going.finished.catch((error: unknown) => error);
      if (end instanceof RunNotDone) continue;
      assert.deepEqual((end as typeof whole).result, whole.result);
      assert.equal((end as typeof whole).digest, whole.digest);
      assert.ok(session > 3);
      return;
    }
  });

  it("dispatches nothing on the way through a long journal, not even what is withdrawn further on", async () => {
    const run = join(directory, "long");
    let opened = 0;
    const trial = (resume: boolean): StartOptions<unknown, unknown, Heard> => {
      const pool = interleaved((value) => value, { choose: (count) => count - 1, holds: (key) => key === "spare" });
      return {
        search: new Scripted(
          Array.from({ length: 1500 }, (_, n) => candidate(`k${n}`)),
          candidate("spare"),
          when(1400, { kind: "withdraw", ask: 1500 }),
          when(1500, { kind: "done" }),
        ),
        evaluator: evaluators("echo"),
        lookahead: 2000,
        journal: { directory: run, resume },
        pool: {
          kind: pool.kind,
          open: (job, listener) => {
            opened++;
            return pool.open(job, listener);
          },
        },
      };
    };
    const whole = await finish(trial(false));
    assert.equal(opened, 1);
    assert.match(readFileSync(join(run, "journal.ndjson"), "utf8"), /"event":"digest".*"tells":1000,/);
    const again = await finish(trial(true));
    assert.equal(again.digest, whole.digest);
    assert.equal(opened, 1);
  });

  it("records that it cut an unfinished line off, and says so", async () => {
    const run = join(directory, "torn");
    const options = (resume: boolean): StartOptions<unknown, unknown, Heard> => ({
      search: new Scripted(candidate("a"), candidate("b"), when(2, { kind: "done" })),
      evaluator: evaluators("echo"),
      pool: inline(),
      journal: { directory: run, resume },
    });
    const whole = await finish(options(false));
    const path = join(run, "journal.ndjson");
    truncateSync(path, readFileSync(path).length - 5);
    rmSync(join(run, "result.json")); // it is written when the journal is whole and on the disk
    const { digest, events } = await finish(options(true));
    assert.equal(digest, whole.digest);
    assert.match(readFileSync(path, "utf8"), /"event":"truncated","at":\d+,"bytes":\d+\}/);
    assert.ok(events.some((event) => event.type === "note" && /bytes of an unfinished line/.test(event.message)));
  });

  it("has the journal on disk before each tell when it is strict, and before it is finished in any case", async () => {
    let synced = 0;
    const original = fs.fdatasyncSync;
    fs.fdatasyncSync = (fd) => {
      original(fd);
      synced++;
    };
    syncBuiltinESMExports();
    try {
      for (const durable of ["strict", "grouped"] as const) {
        synced = 0;
        const atTell: number[] = [];
        const search = new Scripted(candidate("a"), when(1, candidate("b")), when(2, { kind: "done" }));
        const tell = search.tell.bind(search);
        search.tell = (outcome, ask) => {
          atTell.push(synced);
          tell(outcome, ask);
        };
        const journal = { directory: join(directory, durable), durable };
        await finish({ search, evaluator: evaluators("echo"), pool: inline(), journal });
        const [first = 0, second = 0] = atTell;
        if (durable === "strict") assert.ok(first > 0 && second > first, `synced ${atTell.join(", ")} times`);
        assert.ok(synced > second, durable);
      }
    } finally {
      fs.fdatasyncSync = original;
      syncBuiltinESMExports();
    }
  });
});
