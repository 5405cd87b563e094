import assert from "node:assert/strict";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, describe, it } from "node:test";
import fc from "fast-check";
import { type Interleaving, interleaved } from "../../test/interleaved-pool.ts";
import { candidate, type Heard, Scripted, until } from "../../test/searches.ts";
import type { JournalEntry } from "../journal/entry.ts";
import { readJournal } from "../journal/reader.ts";
import { inline } from "../pools/in-process.ts";
import { threads } from "../pools/threads.ts";
import { JOURNAL_NAME } from "../run-directory/run-file.ts";
import { RunNotDone } from "./run.ts";
import { start } from "./start.ts";
import type { StartOptions } from "./start-options.ts";

const evaluator = new URL("../../test/evaluators/echo.ts", import.meta.url);

const directory = mkdtempSync(join(tmpdir(), "coppice-policy-"));
after(() => rmSync(directory, { recursive: true, force: true }));

const script = (keys: readonly string[]) =>
  new Scripted(
    keys.map((key) => candidate(key)),
    until(keys.length),
  );

async function go(
  keys: readonly string[],
  evaluate: (candidate: unknown, key: string, attempt: number) => unknown,
  pooling: Interleaving,
  options: Partial<StartOptions<unknown, unknown, Heard>>,
) {
  const run = await start({
    search: script(keys),
    evaluator,
    pool: interleaved(evaluate, pooling),
    backoffMs: 1,
    ...options,
  });
  return run.finished;
}

describe("a task's policy", () => {
  it("never has more of a group out than its limit, reaches it, and changes nothing else", async () => {
    const keys = Array.from({ length: 40 }, (_, i) => `${"abc"[i % 3]}${i}`);
    const whole = await go(keys, (value) => value, { choose: () => 0 }, {});
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.nat(), { minLength: 20, maxLength: 20 }),
        fc.integer({ min: 1, max: 4 }),
        async (dice, limit) => {
          const out = new Map<string, number>();
          let most = 0;
          let throws = 0;
          const count = (key: string, by: number) => {
            const now = (out.get(key[0]) ?? 0) + by;
            out.set(key[0], now);
            assert.ok(now <= limit, `${now} of group ${key[0]} at once`);
            most = Math.max(most, now);
          };
          let turn = 0;
          const { digest } = await go(
            keys,
            (value, key, attempt) => {
              count(key, -1);
              if (attempt === 0 && key.length === 2 && key.endsWith("7")) {
                throws++;
                throw new Error("once");
              }
              return value;
            },
            { choose: (free) => (dice[turn++ % dice.length] ?? 0) % free },
            {
              retries: 1,
              policy: (key) => (key.startsWith("after") ? {} : { group: { name: key[0] ?? "", limit } }),
              admit: (key) => {
                if (!key.startsWith("after")) count(key, 1);
                return undefined;
              },
            },
          );
          assert.equal(digest, whole.digest);
          assert.equal(most, limit);
          assert.equal(throws, 1);
        },
      ),
      { numRuns: 30 },
    );
  });

  it("gives the place of a dropped task of a full group to the next one", async () => {
    const search = new Scripted(
      candidate("a0"),
      candidate("b0"),
      candidate("a1"),
      candidate("a2"),
      (heard) => (heard.length < 1 ? { kind: "wait" } : { kind: "withdraw", ask: 2 }),
      (heard) => (heard.length < 3 ? { kind: "wait" } : { kind: "done" }),
    );
    const run = await start({
      search,
      evaluator,
      pool: interleaved((value) => value, { choose: () => 0 }),
      policy: (key) => ({ group: { name: key[0] ?? "", limit: 1 } }),
    });
    const { result } = await run.finished;
    assert.deepEqual(
      result.map(([ask]) => ask),
      [0, 1, 3],
    );
  });

  it("stops the run at the machine's troubles, without an outcome or a retry; resumed, the task has all its retries", async () => {
    const journal = { directory: join(directory, "trouble") };
    const policy = () => ({ retries: 1, stopOn: ["DiskFull"] });
    const tried: string[] = [];
    let room = false;
    const evaluate = (value: unknown, key: string, attempt: number) => {
      tried.push(`${key}${attempt}`);
      if (key === "b" && !room) throw Object.assign(new Error("no space"), { name: "DiskFull" });
      if (key === "b" && attempt === 0) throw new Error("bad luck");
      return value;
    };
    const stopped = go(["a", "b", "c"], evaluate, { choose: () => 0, maxInFlight: 1 }, { policy, journal });
    await assert.rejects(
      stopped,
      (error: Error) => error instanceof RunNotDone && /DiskFull: no space/.test(error.message),
    );
    assert.deepEqual(tried.splice(0), ["a0", "b0"]);
    room = true;
    const options = { policy, journal: { ...journal, resume: true } };
    const { tells } = await go(["a", "b", "c"], evaluate, { choose: () => 0, maxInFlight: 1 }, options);
    assert.deepEqual([tells, tried.toSorted()], [3, ["b0", "b1", "c0"]]);
  });

  it("tries nothing again that failed with an answer, and counts it as any other failure", async () => {
    const tries: string[] = [];
    const fail = (value: unknown, key: string) => {
      tries.push(key);
      if (key === "c") return value;
      throw Object.assign(new Error("no"), { name: key === "a" ? "TurnedDown" : "Broken" });
    };
    const policy = () => ({ retries: 2, finalOn: ["TurnedDown"] });
    const { result } = await go(["c", "a", "b"], fail, { choose: () => 0 }, { policy });
    assert.deepEqual(tries.toSorted(), ["a", "b", "b", "b", "c"]);
    assert.deepEqual(
      result.map(([, heard]) => /TurnedDown|Broken/.exec(heard)?.[0]),
      [undefined, "TurnedDown", "Broken"],
    );
    await assert.rejects(
      go(["a"], fail, { choose: () => 0 }, { policy: () => ({ ...policy(), onFailure: "stop" as const }) }),
      /TurnedDown: no/,
    );
  });

  it("has its own retries and its own way to fail", async () => {
    const tries: string[] = [];
    const fail = (value: unknown, key: string) => {
      tries.push(key);
      if (key !== "c") throw new Error("no");
      return value;
    };
    const policy = (key: string) => (key === "a" ? { retries: 2 } : key === "b" ? { onFailure: "stop" as const } : {});
    await go(["c", "a"], fail, { choose: () => 0 }, { policy });
    await assert.rejects(
      go(["c", "b"], fail, { choose: () => 0 }, { policy }),
      (error) => error instanceof RunNotDone && /key "b"/.test(error.message),
    );
    assert.equal(tries.filter((key) => key === "a").length, 3);
    assert.equal(tries.filter((key) => key === "b").length, 1);
  });

  it("has its own time limit", async () => {
    const limits: number[] = [];
    const pool = interleaved((value) => value, { choose: () => 0 });
    const run = await start({
      search: script(["a", "b"]),
      evaluator,
      timeoutMs: 700,
      policy: (key) => (key === "a" ? { timeoutMs: 5 } : {}),
      pool: {
        kind: pool.kind,
        open: (job, listener) => {
          const opened = pool.open(job, listener);
          const submit = opened.submit.bind(opened);
          opened.submit = (task) => {
            limits.push(task.timeoutMs);
            submit(task);
          };
          return opened;
        },
      },
    });
    await run.finished;
    assert.deepEqual(limits, [5, 700]);
  });
});

describe("a task that is not admitted", () => {
  it("stops the run when what is out has finished, and a resumed run goes on from there", async () => {
    const run = join(directory, "admit");
    const keys = [..."abcdefgh"];
    const evaluated: string[] = [];
    const evaluate = (value: unknown, key: string) => {
      evaluated.push(key);
      return value;
    };
    const pooling = { choose: () => 0, maxInFlight: 3 };
    let left = 4;
    await assert.rejects(
      go(keys, evaluate, pooling, {
        journal: { directory: run },
        admit: () => (left-- > 0 ? undefined : "the budget of 4 is spent"),
      }),
      (error) =>
        error instanceof RunNotDone && error.end.state === "stopped" && error.message === "the budget of 4 is spent",
    );
    assert.deepEqual(evaluated, [..."abcd"]);
    const resumed = await go(keys, evaluate, pooling, { journal: { directory: run, resume: true } });
    assert.deepEqual(evaluated, keys);
    assert.equal(resumed.digest, (await go(keys, (value) => value, pooling, {})).digest);
  });

  it("stops a run in which nothing is out at once", async () => {
    await assert.rejects(
      go(["a"], (value) => value, { choose: () => 0 }, { admit: () => "no", drainMs: 60_000 }),
      (error) => error instanceof RunNotDone && error.message === "no",
    );
  });
});

describe("what a run prepares", () => {
  it("is done when the run is open and nothing has been dispatched", async () => {
    const seen: string[] = [];
    const journal = { directory: join(directory, "prepare") };
    const prepare = async () => {
      await new Promise((resolve) => setTimeout(resolve, 5));
      seen.push(existsSync(join(journal.directory, "lock")) ? "locked" : "open");
    };
    const evaluate = (value: unknown) => {
      seen.push("evaluated");
      return value;
    };
    await go(["a"], evaluate, { choose: () => 0 }, { journal, prepare });
    assert.deepEqual(seen, ["locked", "evaluated"]);
  });

  it("ends the run with its error", async () => {
    const prepare = () => Promise.reject(new Error("no room"));
    await assert.rejects(
      go(["a"], (value) => value, { choose: () => 0 }, { prepare }),
      /no room/,
    );
  });
});

describe("an evaluator's error", () => {
  it("brings its own data to the journal, not to the search", async () => {
    const run = join(directory, "data");
    const failing = join(directory, "failing.mjs");
    writeFileSync(
      failing,
      'export default { evaluate() { throw Object.assign(new Error("no"), { data: { exitCode: 7 } }); } };',
    );
    const journal = { directory: run };
    await (await start({ search: script(["a"]), evaluator: failing, pool: inline(), journal })).finished;
    const entries: JournalEntry[] = [];
    readJournal(join(run, JOURNAL_NAME), (entry) => entries.push(entry));
    const failed = entries.find((entry) => entry.type === "failed");
    assert.deepEqual(failed?.detail.data, { exitCode: 7 });
    assert.equal(failed?.failure, '{"type":"Error","message":"no"}');
  });
});

describe("a pool that does not work ahead", () => {
  it("gives a worker its next task when it has finished the last, however short they are", async () => {
    const out = new Map<number, number>();
    let most = 0;
    const run = await start({
      search: script(Array.from({ length: 300 }, (_, i) => `k${i}`)),
      evaluator,
      pool: threads({ workers: 3, chunk: 1, ahead: false, maxInFlight: 3 }),
    });
    run.subscribe((event) => {
      if (event.type === "started") {
        const now = (out.get(event.worker.worker) ?? 0) + event.asks.length;
        out.set(event.worker.worker, now);
        most = Math.max(most, now);
      }
      if (event.type === "completed") out.set(event.worker, (out.get(event.worker) ?? 0) - 1);
    });
    await run.finished;
    assert.equal(most, 1);
  });
});
