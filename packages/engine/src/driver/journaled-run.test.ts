import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, describe, it } from "node:test";
import { interleaved } from "../../test/interleaved-pool.ts";
import { candidate, type Heard, Scripted, until, when } from "../../test/searches.ts";
import { first, go, last, type Trial } from "../../test/trial.ts";
import type { RunEvent } from "../contract/event.ts";
import type { Search } from "../contract/search.ts";
import { seal } from "../journal/line.ts";
import { readJournal } from "../journal/reader.ts";
import { threads } from "../pools/threads.ts";
import { RunNotDone } from "./run.ts";
import { ReplayMismatch } from "./run-record.ts";
import { start } from "./start.ts";

const evaluator = new URL("../../test/evaluators/echo.ts", import.meta.url);

const directory = mkdtempSync(join(tmpdir(), "coppice-driver-"));
after(() => rmSync(directory, { recursive: true, force: true }));

describe("driver: journal", () => {
  it("has written every outcome before it tells it", async () => {
    const run = join(directory, "before-told");
    const missing: number[] = [];
    let told = 0;
    const search: Search<unknown, unknown, Heard> = {
      ask: () =>
        told < 40
          ? told + 8 > asked
            ? { kind: "candidate", key: `k${asked}`, candidate: asked++ }
            : { kind: "wait" }
          : { kind: "done" },
      tell: (_, ask) => {
        told++;
        if (!readFileSync(join(run, "journal.ndjson"), "utf8").includes(`"ask":${ask},"key":"k${ask}"`))
          missing.push(ask);
      },
      result: () => [],
    };
    let asked = 0;
    await go(search, { journal: { directory: run } });
    assert.equal(told, 40);
    assert.deepEqual(missing, []);
  });

  it("replays from the journal without evaluating anything again, and gives the same digest", async () => {
    const run = join(directory, "replay");
    const script = () =>
      new Scripted(
        [..."abcabd"].map((key) => candidate(key)),
        until(6),
      );
    const whole = await go(script(), { journal: { directory: run } });
    let evaluated = 0;
    const again = await go(script(), {
      journal: { directory: run, resume: true },
      pooling: { choose: last, onEvaluate: () => evaluated++ },
    });
    assert.equal(again.digest, whole.digest);
    assert.deepEqual(again.result, whole.result);
    assert.equal(evaluated, 0);
    const plan = again.events.find((event) => event.type === "resumed");
    assert.deepEqual(plan?.type === "resumed" && plan.plan, { reused: 4, rerun: 0, reasons: [] });
  });

  it("keeps how a candidate begins where its key does not say it, and goes on without", async () => {
    const run = join(directory, "candidates");
    const long = { plan: "x".repeat(300) };
    const script = () =>
      new Scripted([
        candidate("a"),
        candidate("n5", 5),
        candidate("n15", 5),
        candidate("b", { rate: 2 }),
        candidate("c", long),
      ]);
    const whole = await go(script(), { journal: { directory: run } });
    const path = join(run, "journal.ndjson");
    const queued = () => {
      const kept: (string | undefined)[] = [];
      readJournal(path, (entry) => {
        if (entry.type === "queued") kept.push(...entry.tasks.map(([, , shown]) => shown));
      });
      return kept;
    };
    assert.deepEqual(queued(), [undefined, undefined, "5", '{"rate":2}', JSON.stringify(long).slice(0, 201)]);
    // As journals were before.
    const lines = readFileSync(path, "utf8").trimEnd().split("\n");
    const older = lines.map((line) => seal(line.slice(18).replace(/("[0-9a-f]{16}"),"(?:[^"\\]|\\.)*"\]/g, "$1]")));
    writeFileSync(path, older.join(""));
    rmSync(join(run, "result.json"));
    assert.deepEqual(queued(), [undefined, undefined, undefined, undefined, undefined]);
    const again = await go(script(), { journal: { directory: run, resume: true } });
    assert.equal(again.digest, whole.digest);
  });

  it("dispatches nothing while the head of the line can be answered from the journal", async () => {
    const run = join(directory, "head");
    const evaluated: string[] = [];
    // First session: a is answered, w is held, and then the run is interrupted.
    const script = () =>
      new Scripted([candidate("a"), candidate("w"), when(1, { kind: "withdraw", ask: 1 }), candidate("b"), until(2)]);
    const held = await start({
      search: script(),
      evaluator,
      journal: { directory: run },
      pool: interleaved((value) => value, { choose: first, holds: (key) => key !== "a" }),
    });
    held.subscribe((event) => {
      if (event.type === "told") setImmediate(() => held.interrupt());
    });
    await assert.rejects(held.finished, RunNotDone);
    // Second session: w is asked again before a is told, but it is withdrawn at once and never evaluated.
    await go(script(), {
      journal: { directory: run, resume: true },
      pooling: { choose: first, onEvaluate: (key) => evaluated.push(key) },
    });
    assert.deepEqual(
      evaluated.filter((key) => key === "w" || key === "a"),
      [],
    );
    assert.ok(evaluated.includes("b"));
  });

  it("stops at the first task that differs from the journal, and names it", async () => {
    const run = join(directory, "mismatch");
    const script = (keys: string) =>
      new Scripted(
        [...keys].map((key) => candidate(key)),
        until(keys.length),
      );
    await go(script("abcd"), { journal: { directory: run } });
    const resume = { journal: { directory: run, resume: true } };
    const differs = (ask: number, text: RegExp) => (error: unknown) =>
      error instanceof ReplayMismatch && error.ask === ask && text.test(error.message);
    await assert.rejects(go(script("abxd"), resume), differs(2, /journal has key "c".*now proposes key "x"/));
    const other = new Scripted([candidate("a"), candidate("b", "other")]);
    await assert.rejects(go(other, resume), differs(1, /a different candidate/));
    await assert.rejects(go(new Scripted([candidate("a"), candidate("b")]), resume), differs(2, /now says it is done/));
    // Nothing of that has harmed the run.
    await go(script("abcd"), resume);
  });

  it("refuses to resume with another seed, lookahead or context", async () => {
    const run = join(directory, "shape");
    await go(new Scripted([candidate("a")]), { journal: { directory: run }, context: { a: 1 } });
    const again = (options: Trial) =>
      go(new Scripted([candidate("a")]), { context: { a: 1 }, ...options, journal: { directory: run, resume: true } });
    await assert.rejects(again({ seed: 5 }), /started with seed 0, not 5/);
    await assert.rejects(again({ lookahead: 2 }), /started with lookahead 1024, not 2/);
    await assert.rejects(again({ context: { a: 2 } }), /started with context/);
    await again({});
  });

  it("ends at the time limit with what it knows, and replays to the same tell", async () => {
    const run = join(directory, "time");
    const endless = () => {
      let asked = 0;
      let sum = 0;
      return {
        ask: () => ({ kind: "candidate", key: `k${asked}`, candidate: asked++ }) as const,
        tell: () => {
          sum++;
        },
        result: () => [[sum, `asked ${asked}`]] as Heard,
      };
    };
    const whole = await go(endless(), { lookahead: 4, maxTimeMs: 250, journal: { directory: run } });
    assert.ok(whole.tells > 0);
    assert.equal(whole.reproducible.from, "journal");
    const again = await go(endless(), { lookahead: 4, maxTimeMs: 30, journal: { directory: run, resume: true } });
    assert.equal(again.tells, whole.tells);
    assert.equal(again.digest, whole.digest);
    assert.deepEqual(again.result, whole.result);
    const hurried = await go(endless(), { lookahead: 4, maxTimeMs: 0.01, journal: { directory: run, resume: true } });
    assert.equal(hurried.tells, whole.tells);
  });

  it("asks a search to the end even when its time is up between two asks", async () => {
    let asked = 0;
    const slow = Array.from({ length: 100 }, (_, i) => () => {
      for (const since = performance.now(); performance.now() < since + 0.5; );
      asked++;
      return candidate(`k${i}`);
    });
    const { reproducible } = await go(new Scripted(slow, until(100)), { maxTimeMs: 1 });
    assert.equal(asked, 100);
    assert.equal(reproducible.from, "journal");
  });
});

describe("driver: stopping a real pool", () => {
  it("starts none of the tasks that still wait in the pool", async () => {
    const run = join(directory, "stop-pool");
    const candidates = Array.from({ length: 60 }, (_, n) => candidate(`k${n}`, { n, mixed: 0 }));
    // The third one fails, for good.
    const context = { noise: 0, longestMs: 0, failOneIn: 1000, flakyOneIn: 0, crashes: undefined };
    const going = await start({
      search: new Scripted(candidates, when(60, { kind: "done" })),
      evaluator: new URL("../../test/evaluators/eventful.ts", import.meta.url),
      context,
      onFailure: "stop",
      pool: threads({ workers: 1, chunk: 1 }),
      journal: { directory: run },
    });
    const events: RunEvent[] = [];
    going.subscribe((event) => events.push(event));
    await assert.rejects(going.finished, RunNotDone);
    const failed = events.findIndex(({ type }) => type === "failed");
    assert.ok(failed >= 0);
    assert.deepEqual(
      events.slice(failed).filter(({ type }) => type === "started"),
      [],
    );
  });
});
