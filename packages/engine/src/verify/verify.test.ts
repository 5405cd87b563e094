import assert from "node:assert/strict";
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import type { Disturbance } from "../../test/evaluators/eventful.ts";
import { type Shape, Shaped } from "../../test/searches.ts";
import { RunNotDone } from "../driver/run.ts";
import { start } from "../driver/start.ts";
import { seal } from "../journal/line.ts";
import { JournalDamaged } from "../journal/reader.ts";
import { inline } from "../pools/in-process.ts";
import { diffRuns } from "./diff.ts";
import { verifyRun } from "./verify.ts";

const evaluator = new URL("../../test/evaluators/eventful.ts", import.meta.url);
const shape: Shape = { kind: "waiting", total: 60, width: 7, keys: 50, withdrawEvery: 9 };
const context: Disturbance = { noise: 1, longestMs: 0, failOneIn: 6, flakyOneIn: 5, crashes: undefined };

let directory = "";
let recorded = "";
before(async () => {
  directory = mkdtempSync(join(tmpdir(), "coppice-verify-"));
  recorded = join(directory, "recorded");
  await record(recorded, 3);
});
after(() => rmSync(directory, { recursive: true, force: true }));

async function record(run: string, seed: number) {
  const search = new Shaped(shape);
  const options = { evaluator, context, pool: inline(), seed, lookahead: 16, retries: 1, backoffMs: 1 };
  return (await start({ ...options, search, journal: { directory: run } })).finished;
}

const verify = (run: string, sample: number | "all" = "all") =>
  verifyRun({ directory: run, search: new Shaped(shape) as never, evaluator, pool: inline(), sample });

/** A copy of the recorded run whose journal lines went through `change`; checksums are right again. */
function altered(name: string, change: (body: string) => string): string {
  const run = join(directory, name);
  cpSync(recorded, run, { recursive: true });
  const path = join(run, "journal.ndjson");
  const lines = readFileSync(path, "utf8").trimEnd().split("\n");
  writeFileSync(path, lines.map((line) => seal(change(line.slice(line.indexOf(",") + 1)))).join(""));
  return run;
}

describe("verify", () => {
  it("says that a recorded run is reproducible", async () => {
    const verified = await verify(recorded);
    assert.deepEqual(verified.problems, []);
    assert.ok(verified.reproducible && verified.complete);
    assert.deepEqual(verified.from, { from: "seed" });
    // Withdrawn asks may have no outcome; everything that has one was checked.
    assert.equal(verified.reevaluated, verified.outcomes);
    assert.equal((await verify(recorded, 5)).reevaluated, 5);
  });

  it("replays a run whose evaluations differ each time, and does none of them again", async () => {
    const run = join(directory, "impure");
    const impure = "somebody answered";
    const options = { evaluator, context, pool: inline(), lookahead: 16, impure };
    const { finished } = await start({ ...options, search: new Shaped(shape), journal: { directory: run } });
    assert.deepEqual((await finished).reproducible, { from: "journal", reason: impure, tell: 0 });
    const search = new Shaped(shape) as never;
    const verified = await verifyRun({ directory: run, search, evaluator, pool: inline(), sample: "all", impure });
    assert.ok(verified.reproducible && verified.complete);
    assert.deepEqual([verified.reevaluated, verified.from.from], [0, "journal"]);
  });

  it("finds a flipped byte by its checksum", async () => {
    const run = join(directory, "flipped");
    cpSync(recorded, run, { recursive: true });
    const path = join(run, "journal.ndjson");
    const bytes = readFileSync(path);
    const at = bytes.indexOf('"value":') + 9;
    bytes[at] = (bytes[at] ?? 0) ^ 1;
    writeFileSync(path, bytes);
    await assert.rejects(
      verify(run),
      (error) => error instanceof JournalDamaged && /line \d+ .*checksum/.test(error.message),
    );
  });

  it("names the task whose outcome was changed together with its checksum", async () => {
    let changed = "";
    const run = altered("changed", (body) => {
      const [, ask, key] = /^"type":"completed".*?"ask":(\d+),"key":"(k\d+)"/.exec(body) ?? [];
      if (changed !== "" || ask === undefined || Number(ask) < 10) return body;
      changed = `task ${ask} (key "${key}")`;
      return body.replace(/"value":.*}$/, '"value":123.5}');
    });
    const verified = await verify(run);
    assert.ok(!verified.reproducible);
    assert.equal(verified.problems[0]?.what, "evaluation");
    assert.ok(
      verified.problems[0]?.message.startsWith(`${changed} is recorded with outcome 123.5, evaluating it again gives`),
      verified.problems[0]?.message,
    );
    // Even without evaluating anything again the journal no longer fits together.
    assert.ok(!(await verify(run, 0)).reproducible);
  });

  it("does not evaluate again what met a clock: it would be another value", async () => {
    const search = Object.assign(new Shaped(shape), { metClock: () => "cut short" });
    const verified = await verifyRun({
      directory: recorded,
      search: search as never,
      evaluator,
      pool: inline(),
      sample: "all",
    });
    assert.deepEqual([verified.problems, verified.from.from], [[], "journal"]);
    assert.ok(verified.reevaluated > 0 && verified.reevaluated < verified.outcomes, "failures only");
  });

  it("finds a changed failure too", async () => {
    const run = altered("changed-failure", (body) =>
      body.replace('"message":"cannot evaluate', '"message":"can evaluate'),
    );
    const verified = await verify(run);
    assert.match(
      verified.problems[0]?.message ?? "",
      /is recorded with outcome .*can evaluate \d+.*again gives .*cannot evaluate/,
    );
  });

  it("says that a run which was cut short is consistent but not complete", async () => {
    const run = join(directory, "short");
    const started = await start({
      search: new Shaped(shape),
      evaluator,
      context,
      pool: inline(),
      seed: 3,
      lookahead: 16,
      retries: 1,
      journal: { directory: run },
    });
    started.subscribe((event) => event.type === "told" && event.told > 10 && started.interrupt());
    await assert.rejects(started.finished, RunNotDone);
    const verified = await verify(run);
    assert.deepEqual(verified.problems, []);
    assert.ok(verified.reproducible && !verified.complete);
  });
});

describe("diff", () => {
  it("finds two runs of the same search equal", async () => {
    const twin = join(directory, "twin");
    await record(twin, 3);
    const diff = diffRuns(recorded, twin);
    assert.ok(diff.same);
    assert.equal(diff.digests[0], diff.digests[1]);
    assert.deepEqual(diff.settings, []);
  });

  it("names the first task that differs, and the setting that explains it", async () => {
    const other = join(directory, "other-seed");
    await record(other, 4);
    const diff = diffRuns(recorded, other);
    assert.ok(!diff.same);
    assert.equal(diff.first?.ask, 0);
    assert.equal(diff.first?.what, "outcome");
    assert.deepEqual(diff.settings, ["seed: 3 against 4"]);
  });

  it("says in which fields alone outcomes differ, over the whole run", () => {
    const took = (ms: number) => (body: string) =>
      body.replace(/"value":(.*)\}$/, (_all, value: string) => `"value":{"said":${value},"at":{"ms":${ms}}}}`);
    const diff = diffRuns(altered("fast", took(1)), altered("slow", took(2)));
    assert.deepEqual([diff.same, diff.first?.what, diff.fields], [false, "outcome", ["at.ms"]]);
    assert.deepEqual(diffRuns(recorded, altered("other", took(1))).fields, []);
  });

  it("says where the shorter of two runs ends", () => {
    const shorter = join(directory, "shorter");
    cpSync(recorded, shorter, { recursive: true });
    const path = join(shorter, "journal.ndjson");
    const lines = readFileSync(path, "utf8").trimEnd().split("\n");
    writeFileSync(
      path,
      lines
        .slice(0, lines.length >> 1)
        .map((line) => `${line}\n`)
        .join(""),
    );
    const diff = diffRuns(recorded, shorter);
    assert.equal(diff.first?.what, "length");
    assert.deepEqual(diff.first?.sides[1], "(nothing told)");
    assert.ok(diff.tells[0] > diff.tells[1] && diff.tells[1] > 0);
  });
});
