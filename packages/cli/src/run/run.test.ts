import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import { assertRefused, COPPICE, coppice, document, file, SQUARES, temporaryDirectory } from "../../test/coppice.ts";

describe("coppice run", () => {
  it("prints the result for people on standard output, and the rest on standard error", async (t) => {
    const place = temporaryDirectory(t);
    const { code, stdout, stderr } = await coppice(place, ["run", SQUARES, "--workers", "1"]);
    assert.equal(stdout, "sum of squares 506, 0 failed\n");
    assert.match(stderr, /^run 1: 1 worker \(threads\), seed 0, lookahead 50/);
    assert.match(stderr, /digest [0-9a-f]{64}/);
    assert.equal(code, 0);
    assert.deepEqual(readdirSync(join(place, ".coppice", "runs")), ["1"]);
  });

  it("says where a module cannot be loaded, and of one that never finishes that it does not", async (t) => {
    const place = temporaryDirectory(t);
    file(place, "throws.mjs", '\n\nthrow new Error("boom");\n');
    file(place, "broken.mjs", "export default {\n  search: () => {\n");
    file(place, "broken.ts", "export default {\n  search: (x: number) => {\n");
    file(place, "enum.ts", "\nenum A { B }\nexport default {};\n");
    file(place, "score.py", "print(1)\n");
    file(place, "never.mjs", "await new Promise(() => {});\n");
    const search = "{ ask: () => ({ kind: 'done' }), tell: () => {}, result: () => 0 }";
    const asking = search.replace("{ kind: 'done' }", "{ kind: 'candidate', candidate: 1, key: 'a' }");
    file(place, "python.mjs", `export default { search: () => (${asking}), evaluator: "./score.py" };\n`);
    file(place, "stuck.mjs", `export default { search: () => (${search}), context: () => new Promise(() => {}) };\n`);
    const said = {
      "throws.mjs": "throws.mjs cannot be loaded: Error: boom (throws.mjs:3)",
      "broken.mjs": "broken.mjs cannot be loaded: SyntaxError: Unexpected end of input (broken.mjs:3)",
      "broken.ts": "broken.ts cannot be loaded: SyntaxError: Expected ',', got '<eof>' (broken.ts:2)",
      "enum.ts":
        "enum.ts cannot be loaded: SyntaxError: TypeScript enum is not supported in strip-only mode (enum.ts:2)",
      "python.mjs": `evaluator ${join(place, "score.py")} cannot be loaded: it is neither JavaScript nor TypeScript (.ts, .js, .mjs, .cjs); a program in another language is what --command takes`,
      "never.mjs": "never.mjs never finishes loading: it awaits what can no longer happen",
      "stuck.mjs": `${join(place, "stuck.mjs")}: its context() never answers: it awaits what can no longer happen`,
    };
    for (const [name, line] of Object.entries(said)) {
      // In a process of its own: only one that has nothing else to do can tell.
      const { status, stderr } = spawnSync(process.execPath, [COPPICE, "run", name], { cwd: place, encoding: "utf8" });
      assert.deepEqual([status, stderr], [2, `coppice: ${line}\n`]);
    }
  });

  it("gives one digest on every pool and any number of workers", async (t) => {
    const place = temporaryDirectory(t);
    const pools = [
      ["inline"],
      ["threads", "--workers", "1"],
      ["threads", "--workers", "3"],
      ["processes", "--workers", "2"],
    ];
    const digests = new Set<unknown>();
    for (const pool of pools) {
      const { digest, result, tells } = document(await coppice(place, ["run", SQUARES, "--json", "--pool", ...pool]));
      assert.deepEqual([result, tells], [{ sum: 506, failed: 0 }, 12]);
      digests.add(digest);
    }
    assert.equal(digests.size, 1);
  });

  it("gives the seed and typed options to the module", async (t) => {
    const place = temporaryDirectory(t);
    const args = ["run", SQUARES, "--json", "--seed", "-7", "--option", "count=4", "--option", "failAt=2"];
    const { result, id } = document(await coppice(place, [...args, "--id", "few", "--run-dir", "here"]));
    assert.deepEqual([result, id], [{ sum: 0 + 1 + 9 - 7, failed: 1 }, "few"]);
    assert.ok(existsSync(join(place, "here", "few", "journal.ndjson")));
  });

  it("numbers runs as numbers", async (t) => {
    const place = temporaryDirectory(t);
    for (const id of ["9", "10"])
      document(await coppice(place, ["run", SQUARES, "--json", "--id", id, "--pool", "inline"]));
    assert.equal(document(await coppice(place, ["run", SQUARES, "--json", "--pool", "inline"])).id, "11");
  });

  it("stops at the first failure when told to, with exit code 1 and the command that continues", async (t) => {
    const place = temporaryDirectory(t);
    const stop = ["--on-failure", "stop", "--workers", "1", "--option", "failAt=3"];
    const { code, stdout, stderr } = await coppice(place, ["run", SQUARES, "--json", ...stop]);
    assert.equal(code, 1);
    const { state, resume } = JSON.parse(stdout) as Record<string, unknown>;
    assert.deepEqual([state, resume], ["stopped", "coppice resume 1"]);
    assert.match(stderr, /coppice: run 1 stopped: .*no square of 3 today.*; continue it with: coppice resume 1\n$/);
  });

  it("reuses evaluations through a cache, with the same digest", async (t) => {
    const place = temporaryDirectory(t);
    const ledger = join(place, "ledger");
    const args = ["run", SQUARES, "--json", "--cache", "--option", `ledger=${ledger}`];
    const cold = document(await coppice(place, args));
    const warm = document(await coppice(place, args));
    assert.equal(warm.digest, cold.digest);
    assert.equal(readFileSync(ledger, "utf8").split("\n").length - 1, 12);
    assert.ok(existsSync(join(place, ".coppice", "cache.sqlite")));
  });

  it("ends a search at its time limit and says that the clock had a say", async (t) => {
    const place = temporaryDirectory(t);
    const slow = ["--option", "count=1000", "--option", "delayMs=50", "--max-time", "400ms", "--workers", "2"];
    const { reproducible, tells } = document(await coppice(place, ["run", SQUARES, "--json", ...slow]));
    assert.equal((reproducible as { from: string }).from, "journal");
    assert.ok(Number(tells) < 1000);
    const { stdout } = await coppice(place, ["verify", "1", "--sample", "2"]);
    assert.match(stdout, /^run 1 is reproducible: /);
    assert.match(stdout, /from its journal, not from its seed: the time limit ended the search at tell \d+\n$/);
  });
});

describe("coppice run, given something wrong", { concurrency: 2 }, () => {
  const SEARCH = "search: () => ({ ask: () => ({ kind: 'done' }), tell() {}, result: () => 1 })";
  const ONE = `search: () => { let asked = false, told = false; return {
    ask: () => told ? { kind: 'done' } : asked ? { kind: 'wait' } : (asked = true, { kind: 'candidate', candidate: 1, key: 'one' }),
    tell: () => { told = true }, result: () => 1 } }`;
  const modules: [string, string, RegExp][] = [
    ["does not parse", "export default {", /^coppice: module\.mjs cannot be loaded: SyntaxError: /],
    [
      "throws",
      "throw new Error('not today')",
      /^coppice: module\.mjs cannot be loaded: Error: not today \(module\.mjs:1\)\n/,
    ],
    [
      "imports what is not there",
      "import 'nowhere'",
      /cannot be loaded: the package "nowhere" is not installed: npm install nowhere\n/,
    ],
    ["exports nothing", "", /^coppice: module\.mjs has no run: write "export default defineRun/],
    ["has no search", "export default { evaluate() {} }", /has no run: write/],
    ["has no evaluator", `export default { ${SEARCH} }`, /has no evaluator: give its run "evaluator"/],
    [
      "names an evaluator that is not there",
      `export default { ${ONE}, evaluator: './no.ts' }`,
      /no evaluator module at .*no\.ts/,
    ],
    [
      "names an evaluator without evaluate",
      `export default { ${ONE}, evaluator: './other.mjs' }`,
      /other\.mjs has no default export with an "evaluate" function/,
    ],
    [
      "throws in search()",
      "export default { search() { throw new Error('no idea') }, evaluate() {} }",
      /its search\(\) threw Error: no idea/,
    ],
    [
      "gives no search",
      "export default { search: () => ({ ask() {} }), evaluate() {} }",
      /its search\(\) did not return a search: tell\(\) is missing/,
    ],
    [
      "throws in setup",
      `export default { ${ONE}, setup() { throw new Error('no license') }, evaluate() {} }`,
      /setup failed: Error: no license/,
    ],
    [
      "wants a negative lookahead",
      `export default { ${ONE}, lookahead: -1, evaluate() {} }`,
      /lookahead must be a whole number from 1/,
    ],
  ];
  for (const [what, text, line] of modules) {
    it(`refuses a module that ${what}, and leaves nothing behind`, async (t) => {
      const place = temporaryDirectory(t);
      file(place, "module.mjs", text);
      file(place, "other.mjs", "export const evaluate = 1;");
      assertRefused(await coppice(place, ["run", "module.mjs", "--cache"]), line);
      assert.deepEqual(readdirSync(place), ["module.mjs", "other.mjs"]);
    });
  }

  const typed: [string, string[], RegExp][] = [
    ["no such module", ["nope.ts"], /^coppice: there is no module nope\.ts\n$/],
    ["a directory", ["."], /is a directory, not a module/],
    ["no module at all", [], /missing required argument 'module'/],
    ["two modules", [SQUARES, "b"], /too many arguments/],
    [
      "an option that does not exist",
      [SQUARES, "--wrokers", "2"],
      /unknown option '--wrokers' \(Did you mean --workers\?\)/,
    ],
    ["no workers", [SQUARES, "--workers", "0"], /'--workers <n>' argument '0' is invalid/],
    ["negative workers", [SQUARES, "--workers", "-2"], /argument '-2' is invalid/],
    ["half a worker", [SQUARES, "--workers", "1.5"], /must be "auto" or a whole number from 1 to 1024/],
    ["absurdly many workers", [SQUARES, "--workers", "100000"], /from 1 to 1024/],
    ["workers that are no number", [SQUARES, "--workers", "12abc"], /argument '12abc' is invalid/],
    ["NaN workers", [SQUARES, "--workers", "NaN"], /argument 'NaN' is invalid/],
    ["many workers inline", [SQUARES, "--workers", "2", "--pool", "inline"], /--pool inline evaluates one at a time/],
    ["an unknown pool", [SQUARES, "--pool", "cloud"], /Allowed choices are inline, threads, processes/],
    ["a fractional seed", [SQUARES, "--seed", "0.5"], /'--seed <n>' argument '0.5' is invalid/],
    ["a lookahead of nothing", [SQUARES, "--lookahead", "0"], /'--lookahead <n>' argument '0' is invalid/],
    ["negative retries", [SQUARES, "--retries", "-1"], /'--retries <n>' argument '-1' is invalid/],
    ["a timeout without sense", [SQUARES, "--timeout", "soon"], /such as 500ms, 30s, 5m or 1h/],
    ["a policy without sense", [SQUARES, "--on-failure", "cry"], /Allowed choices are continue, stop/],
    ["an id that leaves the directory", [SQUARES, "--id", "../x"], /run id "\.\.\/x" is not usable/],
    ["a module option without value", [SQUARES, "--option", "count"], /it must be name=value/],
    ["an unknown module option", [SQUARES, "--option", "size=1"], /the module's options are count \(12\), delayMs/],
    ["a module option of another type", [SQUARES, "--option", "count=few"], /it must be a number such as 12/],
  ];
  for (const [what, args, line] of typed) {
    it(`refuses ${what}`, async (t) => {
      const place = temporaryDirectory(t);
      assertRefused(await coppice(place, ["run", ...args]), line);
      assert.deepEqual(readdirSync(place), []);
    });
  }

  it("refuses a run id that is taken, and does not touch that run", async (t) => {
    const place = temporaryDirectory(t);
    const args = ["run", SQUARES, "--json", "--id", "mine", "--pool", "inline"];
    document(await coppice(place, args));
    const journal = join(place, ".coppice", "runs", "mine", "journal.ndjson");
    const before = readFileSync(journal, "utf8");
    assertRefused(await coppice(place, args), /run mine exists in \.coppice\/runs: resume it, or choose another id/);
    assert.equal(readFileSync(journal, "utf8"), before);
  });

  it("refuses a place where it cannot write", async (t) => {
    const place = temporaryDirectory(t);
    file(place, "file", "");
    assertRefused(
      await coppice(place, ["run", SQUARES, "--run-dir", "file/runs"]),
      /cannot create file\/runs: file is a file\n$/,
    );
    // Below /proc a recursive mkdir of Node never returns.
    if (process.platform === "linux") {
      assertRefused(
        await coppice(place, ["run", SQUARES, "--run-dir", "/proc/nope/runs"]),
        /cannot create \/proc\/nope/,
      );
    }
  });

  it("refuses a cache that is no cache", async (t) => {
    const place = temporaryDirectory(t);
    file(place, "notes.txt", "not a database, but quite a few words about something else entirely");
    assertRefused(await coppice(place, ["run", SQUARES, "--cache", "notes.txt"]), /notes\.txt/);
    assert.deepEqual(readdirSync(place), ["notes.txt"]);
  });

  it("says in one line when a search waits for ever, with exit code 1", async (t) => {
    const place = temporaryDirectory(t);
    file(
      place,
      "module.mjs",
      "export default { search: () => ({ ask: () => ({ kind: 'wait' }), tell() {}, result() {} }), evaluate() {} }",
    );
    const { code, stderr } = await coppice(place, ["run", "module.mjs"]);
    assert.equal(code, 1);
    assert.match(stderr, /^coppice: the search waits after 0 tells, but nothing is outstanding: .*\n$/);
  });

  const values: [string, string, RegExp][] = [
    ["a function", "() => 1", /function/i],
    ["a cycle", "(() => { const a = {}; a.a = a; return a })()", /cycl|circular/i],
    ["something far too large", "'x'.repeat(20_000_000)", /16777216|too (large|long)|longer/i],
  ];
  for (const [what, value, message] of values) {
    it(`tells the search of an evaluator that returns ${what}, and goes on`, async (t) => {
      const place = temporaryDirectory(t);
      const counting = ONE.replace(
        "tell: () => { told = true }, result: () => 1",
        "tell: (o) => { told = o }, result: () => told.failure",
      );
      file(place, "module.mjs", `export default { ${counting}, evaluate: () => ${value} }`);
      const { result } = document(await coppice(place, ["run", "module.mjs", "--json", "--workers", "1"]));
      assert.equal((result as { type: string }).type, "ValueRefused");
      assert.match((result as { message: string }).message, message);
    });
  }
});
