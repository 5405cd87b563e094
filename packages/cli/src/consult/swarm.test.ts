import assert from "node:assert/strict";
import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import { setTimeout as wait } from "node:timers/promises";
import { type Behaviour, question } from "@coppice/agents/practice-server";
import { assertRefused, coppice, ended, file, journaled, launch, temporaryDirectory } from "../../test/coppice.ts";
import { opinion, practice } from "../../test/practice.ts";

interface Document {
  readonly about: string;
  readonly mode: string;
  readonly results: readonly {
    readonly label: string;
    readonly ok: boolean;
    readonly content: string;
    readonly error: { readonly type: string } | null;
  }[];
  readonly skipped: readonly { readonly label: string; readonly why: string }[];
  readonly aggregate: {
    readonly counts?: Record<string, number>;
    readonly files?: readonly {
      readonly label: string;
      readonly form: string;
      readonly findings: readonly unknown[];
    }[];
    readonly distinct?: readonly { readonly label: string; readonly same: readonly string[] }[];
    readonly views?: readonly { readonly label: string; readonly verdict: string }[];
    readonly categories?: Record<string, readonly unknown[]>;
  };
  readonly summary: { readonly ok: number; readonly failed: number; readonly cost: number | null };
  readonly run: { readonly id: string; readonly state: string; readonly message?: string };
}

const parsed = (stdout: string) => JSON.parse(stdout) as Document;

describe("coppice swarm", { concurrency: 2 }, () => {
  it("S-01: an answer stays under its file's name, whichever fail or are skipped", async (t) => {
    const { place } = await practice(t, {
      respond: (call): Behaviour => {
        const name = /name="([^"]+)"/.exec(question(call))?.[1] ?? "";
        if (name === "b.ts") return { kind: "status", status: 400 };
        return { kind: "answer", content: JSON.stringify({ severity: "high", line: 1, finding: `in ${name}` }) };
      },
    });
    for (const name of ["d.ts", "b.ts", "c.ts", "a.ts"]) file(place, name, `// ${name}\n`);
    file(place, "empty.ts", "");
    const { results, skipped, aggregate } = parsed(
      (await coppice(place, ["swarm", "--json", "--review", "*.ts"])).stdout,
    );
    assert.deepEqual(
      results.map(({ label, ok }) => [label, ok]),
      [
        ["a.ts", true],
        ["b.ts", false],
        ["c.ts", true],
        ["d.ts", true],
      ],
    );
    assert.deepEqual(skipped, [{ label: "empty.ts", why: "there is nothing in it" }]);
    assert.deepEqual(
      aggregate.files?.map(({ label, findings }) => [label, Reflect.get(Object(findings[0]), "finding")]),
      ["a.ts", "c.ts", "d.ts"].map((name) => [name, `in ${name}`]),
    );
  });

  it("S-02: every mode asks as many prompts as it is told", async (t) => {
    const { place, server } = await practice(t, { respond: () => opinion("PROCEED", 70) });
    file(place, "code.ts", "export const one = 1;\n");
    const asked = async (...args: string[]) => {
      const before = server.calls.length;
      const document = parsed((await coppice(place, ["swarm", "--json", ...args])).stdout);
      assert.equal(server.calls.length - before, document.results.length);
      return document;
    };
    const analysis = await asked("--analyze", "Shall we?");
    assert.deepEqual(
      analysis.aggregate.views?.map(({ label, verdict }) => `${label} ${verdict}`),
      ["judge", "critic", "skeptic", "innovator", "oracle"].map((name) => `${name} PROCEED`),
    );
    assert.equal((await asked("--analyze", "x", "--personas", "ux,astronomer")).results.length, 2);
    assert.equal((await asked("--generate", "12", "names")).results.length, 12);
    const focused = await asked("--review", "code.ts", "--focus", "security");
    assert.deepEqual([focused.results.length, focused.about], [1, "code.ts, with an eye on security"]);
    assert.match(server.calls.at(-1)?.body.messages[0].content ?? "", /with an eye on security above all/);
    assert.equal((await asked("--test-cases", "9", "--file", "code.ts")).results.length, 9);
    assert.match(server.calls.at(-1)?.body.messages[1].content ?? "", /export const one = 1;/);
    assert.equal((await asked("--batch", "7", "go", "--custom-prompt", "be brief")).results.length, 7);
    assert.equal(new Set(server.calls.slice(-7).map(({ body }) => JSON.stringify(body))).size, 1);
  });

  it("S-03: keeps to its concurrency, and gets every answer although the server refuses many", async (t) => {
    const { place, server } = await practice(t, {
      respond: () => ({ kind: "answer", content: "fine", latencyMs: 20 }),
      quota: { perSecond: 15, burst: 10 },
    });
    const { code, stdout } = await coppice(place, ["swarm", "--json", "--batch", "40", "--concurrency", "30", "go"]);
    assert.equal(code, 0);
    assert.equal(parsed(stdout).summary.ok, 40);
    assert.ok(server.refused > 0 && server.refused < 120, `${server.refused} refused`);
    assert.ok(server.mostAtOnce <= 30, `${server.mostAtOnce} at once`);
  });

  it("S-03: --requests-per-minute spreads requests out", async (t) => {
    const { place, server } = await practice(t, { respond: () => ({ kind: "answer", content: "fine" }) });
    await coppice(place, ["swarm", "--batch", "6", "--requests-per-minute", "240", "go", "--concurrency", "50"]);
    await coppice(place, ["swarm", "--batch", "3", "--requests-per-minute", "60", "go"]);
    const at = server.calls.map(({ atMs }) => atMs);
    assert.ok(at[5] - at[0] < 2000, "a tenth of a minute's worth may go at once");
    assert.equal(server.calls.length, 9);
  });

  it("S-04: counts severities of structured answers only", async (t) => {
    const said: Record<string, string> = {
      "a.ts": '{"severity":"critical","line":2,"finding":"x"}\n{"severity":"low","line":3,"finding":"y"}',
      "b.ts": "There are no CRITICAL issues here.",
      "c.ts": "- HIGH: line 4: unchecked",
    };
    const { place } = await practice(t, {
      respond: (call) => ({ kind: "answer", content: said[/name="([^"]+)"/.exec(question(call))?.[1] ?? ""] }),
    });
    for (const name of Object.keys(said)) file(place, name, "x\n".repeat(4));
    const { stdout } = await coppice(place, ["swarm", "--review", "*.ts"]);
    assert.match(stdout, /^1 critical, 1 high, 0 medium, 1 low\n/);
    assert.match(stdout, /── c\.ts \(read from prose\)\n {2}high c\.ts:4: line 4: unchecked/);
    assert.match(stdout, /so not counted: b\.ts/);
  });

  it("S-05: the exit code says whether enough prompts were answered", async (t) => {
    let asked = 0;
    const { place } = await practice(t, {
      respond: () => (asked++ % 4 === 0 ? { kind: "answer", content: "fine" } : { kind: "status", status: 400 }),
    });
    const swarm = (...more: string[]) => coppice(place, ["swarm", "--batch", "8", "go", ...more]);
    const { code, stdout } = await swarm();
    assert.equal(code, 1);
    assert.match(stdout, /Without an answer:\n {2}answer \d+: HttpError: 400/);
    assert.match(stdout, /2 answered, 6 failed/);
    assert.equal((await swarm("--min-success", "0.2")).code, 0);
  });

  it("S-06: --json prints one document and nothing else on standard output", async (t) => {
    const { place } = await practice(t, { respond: () => ({ kind: "answer", content: "fine" }) });
    const { stdout } = await coppice(place, ["swarm", "--json", "--batch", "2", "go"]);
    const { mode, results, run } = parsed(stdout);
    assert.deepEqual(
      [mode, run.state, results.map(({ label, content }) => [label, content])],
      [
        "batch",
        "done",
        [
          ["answer 1", "fine"],
          ["answer 2", "fine"],
        ],
      ],
    );
  });

  it("S-07: puts nearly identical ideas together", async (t) => {
    const { place } = await practice(t, {
      respond: ({ body }) => ({
        kind: "answer",
        content: /idea number [12]\b/.test(body.messages[1].content)
          ? `Call it Lantern${body.messages[1].content.includes("number 2") ? "!" : "."}`
          : "Call it Beacon, because it shines over the sea at night.",
      }),
    });
    const { aggregate } = parsed((await coppice(place, ["swarm", "--json", "--generate", "3", "names"])).stdout);
    assert.deepEqual(
      aggregate.distinct?.map(({ label, same }) => [label, same]),
      [
        ["idea 1", ["idea 2"]],
        ["idea 3", []],
      ],
    );
  });

  it("S-08: skips binary, large and unreadable files by name, in a stable order", async (t) => {
    const { place, server } = await practice(t, {
      respond: () => ({ kind: "answer", content: '{"severity":"none"}' }),
    });
    mkdirSync(join(place, "src"));
    file(place, "src/b.ts", "b\n");
    file(place, "src/a.ts", "a\n");
    writeFileSync(join(place, "src/picture.ts"), Buffer.from([1, 0, 2, 0]));
    file(place, "src/large.ts", "x".repeat(2000));
    mkdirSync(join(place, "src/node_modules"));
    file(place, "src/node_modules/left-out.ts", "x\n");
    const args = ["swarm", "--json", "--review", "src/**/*.ts", "src/a.ts", "--max-file-bytes", "1000"];
    const { results, skipped } = parsed((await coppice(place, args)).stdout);
    assert.deepEqual(
      results.map(({ label }) => label),
      ["src/a.ts", "src/b.ts"],
    );
    assert.deepEqual(skipped, [
      { label: "src/large.ts", why: "2000 bytes; at most 1000 are read" },
      { label: "src/picture.ts", why: "it is not text" },
    ]);
    assert.equal(server.calls.length, 2);
    assertRefused(
      await coppice(place, ["swarm", "--review", "src/picture.ts"]),
      /nothing is left to ask about: src\/picture\.ts: it is not text/,
    );
  });

  it("S-09: a spent budget keeps what was answered, and more money continues the run", async (t) => {
    const { place, server } = await practice(t, {
      respond: () => ({ ...opinion("STOP", 1), latencyMs: 10 }) as Behaviour,
    });
    const args = [
      "swarm",
      "--json",
      "--model",
      "priced",
      "--batch",
      "30",
      "--concurrency",
      "4",
      "--max-tokens",
      "50",
      "go",
    ];
    const { code, stdout } = await coppice(place, [...args, "--max-cost", "0.1"]);
    const { summary, run, results } = parsed(stdout);
    assert.equal(code, 130);
    assert.match(run.message ?? "", /the budget of \$0\.1000 has \$0\.1000 spent/);
    assert.ok(summary.ok >= 5 && summary.ok <= 12, `${summary.ok} answered`);
    assert.equal(summary.ok, server.calls.length, "nothing that was paid for is lost");
    assert.equal(results.filter(({ error }) => error?.type === "NotAnswered").length, 30 - summary.ok);
    assertRefused(await coppice(place, ["resume", "1", "--max-cost", "0.01"]), /the budget is spent/);
    const resumed = parsed((await coppice(place, ["resume", "1", "--json", "--max-cost", "1"])).stdout);
    assert.deepEqual([resumed.summary.ok, server.calls.length], [30, 30]);
  });

  it("S-10: a killed swarm is resumed without asking again what was answered", async (t) => {
    const { place, server } = await practice(t, {
      respond: ({ index }) => ({ kind: "answer", content: `answer to ${index}`, latencyMs: index < 40 ? 5 : 300 }),
    });
    const child = launch(place, ["swarm", "--batch", "80", "--concurrency", "8", "go"], {}, t);
    const end = ended(child);
    await journaled(join(place, ".coppice", "runs", "1"), 40);
    child.kill("SIGKILL");
    await end;
    while (server.underWay > 0) await wait(5);
    const sent = server.calls.length;
    const { results } = parsed((await coppice(place, ["resume", "1", "--json"])).stdout);
    assert.equal(results.filter(({ ok }) => ok).length, 80);
    assert.equal(new Set(results.map(({ content }) => content)).size, 80, "every prompt has an answer of its own");
    // At most the eight that were under way are asked twice.
    assert.ok(server.calls.length - sent <= 40 && server.calls.length <= 88, `${server.calls.length} requests`);
    assert.match((await coppice(place, ["verify", "1"])).stdout, /^run 1 is reproducible: 80 tells replayed/);
  });

  it("S-10: with --cache another run asks only what no run has answered", async (t) => {
    const { place, server } = await practice(t, { respond: () => ({ kind: "answer", content: "fine" }) });
    await coppice(place, ["swarm", "--batch", "5", "go", "--cache"]);
    await coppice(place, ["swarm", "--batch", "8", "go", "--cache"]);
    assert.equal(server.calls.length, 8);
  });

  it("Ctrl-C prints what has been answered, with exit code 130", async (t) => {
    const { place, server } = await practice(t, {
      respond: ({ index }) => (index < 5 ? { kind: "answer", content: "fine" } : { kind: "silence" }),
    });
    const child = launch(place, ["swarm", "--json", "--batch", "20", "--concurrency", "4", "go"], {}, t);
    const end = ended(child);
    await journaled(join(place, ".coppice", "runs", "1"), 5);
    child.kill("SIGINT");
    const { code, stdout } = await end;
    assert.equal(code, 130);
    assert.equal(parsed(stdout).summary.ok, 5);
    while (server.underWay > 0) await wait(5);
  });
});

describe("coppice swarm, given something wrong", { concurrency: 2 }, () => {
  const typed: [string, string[], RegExp][] = [
    ["no mode", ["x"], /what should the swarm do\? give one of --analyze, --generate/],
    ["two modes", ["--generate", "3", "--batch", "3", "x"], /--generate and --batch cannot go together/],
    ["no prompts", ["--batch", "0", "x"], /whole number from 1 to 1000/],
    ["too many prompts", ["--generate", "1001", "x"], /whole number from 1 to 1000/],
    ["an empty prompt", ["--batch", "2", ""], /the prompt is empty/],
    ["an empty question", ["--analyze", " "], /the question is empty/],
    ["a text where none belongs", ["--analyze", "q", "x"], /"x" is one text too many/],
    ["a flag of another mode", ["--batch", "2", "--focus", "y", "x"], /--focus goes with --review, not with --batch/],
    ["a glob that matches nothing", ["--review", "*.nope"], /no file matches "\*\.nope"/],
    ["a file that is not there", ["--test-cases", "2", "--file", "none.ts"], /--file none\.ts: there is no such file/],
  ];
  for (const [what, args, line] of typed) {
    it(`refuses ${what}, and touches nothing`, async (t) => {
      const place = temporaryDirectory(t);
      assertRefused(await coppice(place, ["swarm", "--demo", ...args]), line);
      assert.deepEqual(readdirSync(place), []);
    });
  }
});
