import assert from "node:assert/strict";
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, describe, it } from "node:test";
import { fileURLToPath } from "node:url";
import { candidate, type Heard, Scripted, until, when } from "../../test/searches.ts";
import type { PoolFactory } from "../contract/pool.ts";
import { inline } from "../pools/in-process.ts";
import { processes } from "../pools/processes.ts";
import { threads } from "../pools/threads.ts";
import { readRunFile, writeRunFile } from "../run-directory/run-file.ts";
import { findRun } from "../run-directory/runs.ts";
import { UsageError } from "../usage-error.ts";
import { start } from "./start.ts";
import type { StartOptions } from "./start-options.ts";

const evaluators = (name: string) => new URL(`../../test/evaluators/${name}.ts`, import.meta.url);

const directory = mkdtempSync(join(tmpdir(), "coppice-wrong-"));
after(() => rmSync(directory, { recursive: true, force: true }));

const one = () => new Scripted(candidate("a"), until(1));

async function go(options: Partial<StartOptions<unknown, unknown, Heard>>) {
  const run = await start({ search: one(), evaluator: evaluators("echo"), pool: inline(), ...options });
  return run.finished;
}

const usage = (text: RegExp) => (error: unknown) => error instanceof UsageError && text.test(error.message);

describe("wrong input: evaluators", () => {
  const pools: Record<string, PoolFactory> = {
    inline: inline(),
    threads: threads({ workers: 1 }),
    processes: processes({ workers: 1 }),
  };

  it("says that there is no such module, and touches nothing", async () => {
    const run = join(directory, "no-module");
    await assert.rejects(
      go({ evaluator: join(directory, "nowhere.ts"), journal: { directory: run } }),
      usage(/no evaluator module at .*nowhere\.ts/),
    );
    assert.ok(!existsSync(run));
  });

  for (const [kind, pool] of Object.entries(pools)) {
    it(`says which export is missing, in ${kind}, and leaves no run behind`, async () => {
      const run = join(directory, `no-export-${kind}`);
      const wrong = go({ evaluator: evaluators("no-evaluate"), pool, journal: { directory: run } });
      await assert.rejects(wrong, /no-evaluate\.ts has no default export/);
      assert.ok(!existsSync(run));
    });

    it(`passes on what setup threw, in ${kind}, and leaves no run behind`, async () => {
      const run = join(directory, `setup-${kind}`);
      const wrong = go({
        evaluator: evaluators("bad-setup"),
        context: { how: "throw" },
        pool,
        journal: { directory: run },
      });
      await assert.rejects(wrong, /bad-setup\.ts: setup failed: RangeError: no such table/);
      const misused = go({ evaluator: evaluators("bad-setup"), context: { how: "misused" }, pool });
      await assert.rejects(misused, { message: "no such option" });
      assert.ok(!existsSync(run));
    });

    it(`refuses or keeps exactly what an evaluator returns, in ${kind}`, async () => {
      const things = ["function", "cycle", "bigint", "NaN", "100 MB", "nothing", "thrown text"];
      const search = new Scripted(
        things.map((thing) => candidate(thing)),
        when(things.length, { kind: "done" }),
      );
      const told: unknown[] = [];
      const listening = Object.assign(search, {
        tell: (outcome: unknown, ask: number) => {
          told.push(outcome);
          search.heard.push([ask, ""]);
        },
      });
      await go({ search: listening, evaluator: evaluators("strange-values"), pool });
      const refused = (message: string) => ({ ok: false, failure: { type: "ValueRefused", message } });
      assert.deepEqual(told, [
        refused("value is a function; only data can be written down"),
        refused("value.self refers back to an object that contains it (a cycle)"),
        { ok: true, value: 12345678901234567890n },
        { ok: true, value: Number.NaN },
        refused("the value takes 104857602 bytes encoded; the limit is 16777216"),
        { ok: true, value: undefined },
        { ok: false, failure: { type: "Thrown", message: "just a text" } },
      ]);
    });
  }
});

describe("wrong input: options", () => {
  const cases: [Partial<StartOptions<unknown, unknown, Heard>>, RegExp][] = [
    [{ lookahead: 0 }, /^lookahead must be a whole number from 1/],
    [{ lookahead: 1.5 }, /^lookahead .* not 1\.5/],
    [{ seed: Number.NaN }, /^seed must be a whole number/],
    [{ retries: -1 }, /^retries must be/],
    [{ timeoutMs: Number.POSITIVE_INFINITY }, /^timeoutMs must be between 0/],
    [{ onFailure: "explode" as never }, /^onFailure must be "continue" or "stop"/],
    [{ context: { f: () => 1 } }, /^the context cannot be sent to workers: value\.f is a function/],
    [{ maxValueBytes: 0 }, /^maxValueBytes must be/],
  ];
  for (const [options, message] of cases) {
    it(`refuses ${JSON.stringify(Object.entries(options)[0], (_, value) => (typeof value === "number" ? String(value) : value))}`, async () => {
      const run = join(directory, "options");
      await assert.rejects(go({ ...options, journal: { directory: run } }), usage(message));
      assert.ok(!existsSync(run));
    });
  }

  it("says in one line what a program in JavaScript gave it wrongly", async () => {
    const whole = { search: one(), evaluator: evaluators("echo"), pool: inline() };
    const cases: [unknown, RegExp][] = [
      [undefined, /^start needs its options, such as \{ search, evaluator \}, not undefined$/],
      [{}, /^search must be an object with ask\(\), tell\(\) and result\(\), not undefined$/],
      [{ ...whole, search: {} }, /^the search has no ask\(\)$/],
      [{ ...whole, search: { ask: () => 1, tell: () => 1 } }, /^the search has no result\(\)$/],
      [{ ...whole, evaluator: undefined }, /^evaluator must be the path or URL of a module, not undefined$/],
      [{ ...whole, evaluator: 5 }, /^evaluator must be the path or URL of a module, not 5$/],
      [{ ...whole, evaluator: new URL("https://host/x.js") }, /^evaluator must be a file on this machine, not https:/],
      [{ ...whole, pool: "threads" }, /^pool must be a pool, such as threads\(\{ workers: 4 \}\), not "threads"$/],
      [{ ...whole, pool: threads }, /^pool must be a pool, .*, not a function$/],
      [
        { ...whole, journal: "runs" },
        /^journal must be an object, such as \{ directory: "runs\/first" \}, not "runs"$/,
      ],
      [{ ...whole, journal: { directory: 5 } }, /^journal\.directory must be a text, not 5$/],
      [{ ...whole, journal: {} }, /^journal\.directory must be a text, not undefined$/],
      [
        { ...whole, journal: { directory: "x", resum: true } },
        /^journal has no option "resum": resume is meant, it seems$/,
      ],
      [{ ...whole, journal: { directory: "x", resume: "yes" } }, /^journal\.resume must be true or false, not "yes"$/],
      [{ ...whole, pol: inline() }, /^start has no option "pol": pool is meant, it seems$/],
      [{ ...whole, timeout: 5 }, /^start has no option "timeout": timeoutMs is meant, it seems$/],
      [{ ...whole, lookAhead: 5 }, /^start has no option "lookAhead": lookahead is meant, it seems$/],
      [{ ...whole, flavour: 5 }, /^start has no option "flavour": there are search, evaluator, .*, cache$/],
      [
        { ...whole, journal: { directory: "x", colour: 1 } },
        /^journal has no option "colour": there are directory, .*, inputs$/,
      ],
      [{ ...whole, resume: true }, /^start has no option "resume": it belongs in journal, beside directory$/],
      [{ ...whole, policy: {} }, /^policy must be a function, not an object$/],
      [{ ...whole, evaluatorFiles: "a.txt" }, /^evaluatorFiles must be a list of texts, not "a\.txt"$/],
      [{ ...whole, cache: true }, /^cache must be what openCache\(\) returned, not true$/],
    ];
    for (const [given, message] of cases) {
      await assert.rejects(start(given as StartOptions<unknown, unknown, Heard>), usage(message), String(message));
    }
    const asIfAbsent = {
      ...whole,
      tool: "a field of a prepared run",
      journal: undefined,
      impure: undefined,
    } as unknown;
    await (await start(asIfAbsent as StartOptions<unknown, unknown, Heard>)).finished;
  });

  it("names no line of Node's own for what a search throws", async () => {
    const search = Object.assign(one(), { ask: JSON.parse as never });
    await assert.rejects(go({ search }), (error: Error) => !/timers|:\d+\)$/.test(error.message));
  });

  it("refuses to resume what is not there", async () => {
    const nowhere = join(directory, "nowhere");
    await assert.rejects(go({ journal: { directory: nowhere, resume: true } }), usage(/nowhere/));
    assert.ok(!existsSync(nowhere));
  });

  it("refuses negative, fractional and absurd worker counts", () => {
    for (const workers of [0, -1, 1.5, Number.NaN, 1e9]) {
      for (const pool of [threads, processes]) assert.throws(() => pool({ workers }), /workers/);
    }
  });
});

describe("wrong input: run directories", () => {
  it("does not start a run where one is", async () => {
    const run = join(directory, "twice");
    await go({ journal: { directory: run } });
    const before = readFileSync(join(run, "journal.ndjson"));
    await assert.rejects(go({ journal: { directory: run } }), usage(/run twice exists/));
    assert.deepEqual(readFileSync(join(run, "journal.ndjson")), before);
  });

  it("keeps out of a directory that holds anything else, since a run that comes to nothing is removed with its own", async () => {
    const mine = join(directory, "mine");
    mkdirSync(mine);
    writeFileSync(join(mine, "notes.txt"), "precious");
    const unusable = new URL("../../test/evaluators/bad-setup.ts", import.meta.url);
    await assert.rejects(
      go({ evaluator: unusable, journal: { directory: mine } }),
      usage(/mine holds notes\.txt, which is not part of a run: give the run its own directory/),
    );
    assert.deepEqual(readdirSync(mine), ["notes.txt"]);
  });

  it("starts where a start was cut off that had made no more than an empty journal", async () => {
    const run = join(directory, "cut-off");
    mkdirSync(run);
    writeFileSync(join(run, "journal.ndjson"), "");
    assert.throws(() => findRun("cut-off", directory), usage(/start it again .*--id cut-off/));
    await go({ journal: { directory: run } });
    assert.equal(findRun("cut-off", directory), run);
    assert.equal(readRunFile(run).id, "cut-off");
  });

  it("says the same of a journal without its record, whether a run is to start there or go on", async () => {
    const run = join(directory, "no-record");
    mkdirSync(run);
    writeFileSync(join(run, "journal.ndjson"), "precious");
    const said = usage(
      /holds the journal\.ndjson of a run without its run\.json: put that back to resume run no-record, or/,
    );
    await assert.rejects(go({ journal: { directory: run } }), said);
    assert.throws(() => findRun("no-record", directory), said);
    assert.equal(readFileSync(join(run, "journal.ndjson"), "utf8"), "precious");
  });

  it("says why it cannot write", async () => {
    const file = join(directory, "a-file");
    writeFileSync(file, "");
    await assert.rejects(go({ journal: { directory: join(file, "run") } }), usage(/cannot create .*a-file/));
  });

  it("does not touch a run of a newer version", async () => {
    const run = join(directory, "newer");
    await go({ journal: { directory: run } });
    writeRunFile(run, { ...readRunFile(run), format: 99 });
    const before = readdirSync(run);
    await assert.rejects(go({ journal: { directory: run, resume: true } }), usage(/format 99.*reads up to 1/));
    assert.deepEqual(readdirSync(run), before);
  });

  it("does not take an empty or foreign directory for a run", async () => {
    const empty = join(directory, "empty");
    mkdirSync(empty);
    await assert.rejects(
      go({ journal: { directory: empty, resume: true } }),
      usage(/is not a run: it has no run\.json/),
    );
    writeFileSync(join(empty, "run.json"), "{ not json");
    await assert.rejects(go({ journal: { directory: empty, resume: true } }), usage(/run\.json is not JSON/));
    writeFileSync(join(empty, "run.json"), '{"a":1}');
    await assert.rejects(go({ journal: { directory: empty, resume: true } }), usage(/has no format number/));
  });

  it("begins a run that was killed before its first line, and misses a journal that was removed", async () => {
    const run = join(directory, "unbegun");
    const whole = await go({ journal: { directory: run } });
    rmSync(join(run, "journal.ndjson"));
    await assert.rejects(
      go({ journal: { directory: run, resume: true } }),
      usage(/has no journal\.ndjson: it was removed/),
    );
    for (const name of readdirSync(run)) if (name !== "run.json") rmSync(join(run, name), { recursive: true });
    mkdirSync(join(run, "logs"));
    const { digest } = await go({ journal: { directory: run, resume: true } });
    assert.equal(digest, whole.digest);
  });

  it("names the damaged line and does not guess", async () => {
    const run = join(directory, "damaged");
    await go({ journal: { directory: run } });
    const path = join(run, "journal.ndjson");
    const text = readFileSync(path, "utf8");
    writeFileSync(path, text.replace('"key":"a"', '"key":"b"'));
    await assert.rejects(
      go({ journal: { directory: run, resume: true } }),
      /journal\.ndjson line \d+ .*checksum.*damaged/,
    );
  });
});

/** A run in a process of its own that holds its one task until it is killed. */
function holdRun(run: string, resume: boolean): Promise<ChildProcess> {
  const script = fileURLToPath(new URL("../../test/hold-run.ts", import.meta.url));
  const child = spawn(process.execPath, [script, run, String(resume)], { stdio: ["ignore", "pipe", "inherit"] });
  return new Promise((resolve, reject) => {
    child.stdout?.once("data", () => resolve(child));
    child.once("error", reject);
    child.once("exit", (code) => reject(new Error(`the holding process ended with code ${code}`)));
  });
}

describe("wrong input: two processes, one run", () => {
  it("lets only one process write a run, and lets another take over when it has died", async () => {
    const run = join(directory, "shared");
    const holder = await holdRun(run, false);
    const resume = () =>
      go({ evaluator: evaluators("hold"), journal: { directory: run, resume: true }, context: { hold: false } });
    const again = () =>
      go({ evaluator: evaluators("hold"), journal: { directory: run, resume: true }, context: { hold: true } });
    await assert.rejects(resume(), usage(/started with context/));
    await assert.rejects(again(), usage(new RegExp(`in use by pid ${holder.pid}`)));
    const gone = new Promise((resolve) => holder.once("exit", resolve));
    holder.kill("SIGKILL");
    await gone;
    writeFileSync(join(run, "release"), "");
    const started = await start({
      search: one(),
      evaluator: evaluators("hold"),
      pool: inline(),
      context: { hold: true },
      journal: { directory: run, resume: true },
    });
    const notes: string[] = [];
    started.subscribe((event) => event.type === "note" && notes.push(event.message));
    await started.finished;
    assert.ok(
      notes.some((note) => new RegExp(`lock over from pid ${holder.pid}`).test(note)),
      notes.join("; "),
    );
    assert.match(readFileSync(join(run, "journal.ndjson"), "utf8"), /"event":"takeover"/);
  });
});

describe("wrong input: full disk", () => {
  it("tells nothing that is not written, and goes on from there when there is room", async () => {
    const run = join(directory, "full");
    const script = fileURLToPath(new URL("../../test/fill-disk.ts", import.meta.url));
    const shell = 'ulimit -f 16; trap "" XFSZ; exec "$0" "$1" "$2"';
    const full = spawnSync("bash", ["-c", shell, process.execPath, script, run], { encoding: "utf8" });
    const [, told, message] = /^told (\d+)\n(.*)\n/.exec(full.stdout) ?? [];
    assert.match(message ?? "", /^cannot write .*journal\.ndjson: EFBIG.*resume when it can be written/, full.stderr);
    const written = readFileSync(join(run, "journal.ndjson"), "utf8").split('"type":"completed"').length - 1;
    assert.ok(Number(told) > 0 && Number(told) <= written, `told ${told}, written ${written}`);
    const resumed = spawnSync(process.execPath, [script, run, "resume"], { encoding: "utf8" });
    assert.match(resumed.stdout, /^told 500\ndone\n/, resumed.stderr);
  });
});
