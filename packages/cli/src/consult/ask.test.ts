import assert from "node:assert/strict";
import { chownSync, existsSync, mkdirSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import type { Behaviour } from "@coppice/agents/practice-server";
import { assertRefused, coppice, ended, file, journaled, launch, temporaryDirectory } from "../../test/coppice.ts";
import { opinion, personaOf, practice } from "../../test/practice.ts";

interface Answer {
  readonly persona: string;
  readonly ok: boolean;
  readonly content: string;
  readonly verdict: string | null;
  readonly confidence: number | null;
  readonly ms: number;
  readonly usage: { readonly promptTokens: number };
  readonly cost: number | null;
  readonly error: { readonly type: string; readonly message: string } | null;
}

interface Document {
  readonly query: string;
  readonly model: string;
  readonly results: readonly Answer[];
  readonly summary: { readonly ok: number; readonly failed: number; readonly ms: number; readonly cost: number | null };
  readonly run: { readonly id: string; readonly state: string; readonly resume?: string; readonly message?: string };
}

const parsed = (stdout: string) => JSON.parse(stdout) as Document;

describe("coppice ask", { concurrency: 2 }, () => {
  it("O-01: --batch takes personas and presets; the answers come in the order asked, whoever is first", async (t) => {
    const slow: Record<string, number> = { judge: 400, critic: 200, skeptic: 0 };
    const { place, server } = await practice(t, {
      respond: ({ body }) => ({ ...opinion("PROCEED", 70), latencyMs: slow[personaOf(body)] }) as Behaviour,
    });
    const { code, stdout, stderr } = await coppice(place, ["ask", "--batch", "judge,critic,skeptic", "Shall we?"]);
    assert.equal(code, 0);
    assert.match(stdout, /^── The Judge [\s\S]*── The Critic [\s\S]*── The Skeptic /);
    assert.match(stderr, /Answers: 3\/3/);
    assert.match(stderr, /\n3 answered, 0 failed · /);
    assert.deepEqual(new Set(server.calls.map(({ body }) => personaOf(body))), new Set(["judge", "critic", "skeptic"]));
    const preset = parsed((await coppice(place, ["ask", "--batch", "quick", "--json", "Shall we?"])).stdout);
    assert.deepEqual(
      preset.results.map(({ persona }) => persona),
      ["judge", "critic", "skeptic"],
    );
  });

  it("O-02: all calls are under way together, and the whole takes about as long as the slowest", async (t) => {
    let arrived = 0;
    const together = Promise.withResolvers<void>();
    const { place, server } = await practice(t, {
      respond: async () => {
        if (++arrived === 12) together.resolve();
        await together.promise;
        return { ...opinion("STOP", 60), latencyMs: 500 } as Behaviour;
      },
    });
    const { summary, results } = parsed((await coppice(place, ["ask", "--all", "--json", "Shall we?"])).stdout);
    assert.equal(server.mostAtOnce, 12);
    const last = Math.max(...server.calls.map(({ atMs }) => atMs));
    const total = Math.max(...server.calls.map(({ endedAtMs }) => endedAtMs ?? 0)) - last;
    assert.ok(total < 6 * 500, `${total} ms, where one after another take 6,000`);
    assert.ok(summary.ms >= 500);
    assert.equal(summary.ms, Math.max(...results.map(({ ms }) => ms)));
  });

  it("O-03: --json prints one document with everything", async (t) => {
    const { place } = await practice(t, { respond: () => opinion("CONDITIONAL_GO", 81) });
    const { stdout, stderr } = await coppice(place, [
      "ask",
      "--json",
      "--batch",
      "judge",
      "Shall we?",
      "--model",
      "priced",
    ]);
    const { query, model, results, summary, run } = parsed(stdout);
    assert.deepEqual([query, model], ["Shall we?", "local/priced-1"]);
    const [{ content: _, ms, ...judge }] = results;
    assert.deepEqual(judge, {
      persona: "judge",
      title: "The Judge",
      model: "local/priced-1",
      ok: true,
      reasoning: "",
      verdict: "CONDITIONAL_GO",
      confidence: 81,
      readFrom: "json",
      steps: 1,
      usage: { promptTokens: 100, answerTokens: 50 },
      cost: 0.01,
      error: null,
      unfinished: null,
    });
    assert.ok(ms > 0 && summary.ms === ms);
    assert.deepEqual([summary.ok, summary.failed, summary.cost], [1, 0, 0.01]);
    assert.deepEqual([run.id, run.state], ["1", "done"]);
    assert.match(stderr, /Answers: 1\/1/);
  });

  it("O-04: one failure spoils nothing; the exit code says whether enough have answered", async (t) => {
    const failing = new Set(["judge"]);
    const { place } = await practice(t, {
      respond: ({ body }) => (failing.has(personaOf(body)) ? { kind: "status", status: 400 } : opinion("PROCEED", 90)),
    });
    const ask = (...more: string[]) => coppice(place, ["ask", "--json", "--batch", "judge,critic", "x", ...more]);
    const half = await ask();
    assert.equal(half.code, 0);
    const [judge, critic] = parsed(half.stdout).results;
    assert.deepEqual([judge.ok, judge.error?.type, critic.ok, critic.verdict], [false, "HttpError", true, "PROCEED"]);
    assert.equal((await ask("--min-success", "0.6")).code, 1);
    failing.add("critic");
    assert.equal((await ask()).code, 1);
  });

  it("O-05: asks nobody twice, and nobody at all when one name is unknown", async (t) => {
    const { place, server } = await practice(t, { respond: () => opinion("PROCEED", 90) });
    await coppice(place, ["ask", "--batch", "judge,critic,judge", "x"]);
    assert.equal(server.calls.length, 2);
    const refused = await coppice(place, ["ask", "--batch", "judge,joker", "x"]);
    assertRefused(refused, /no persona or preset "joker" \(personas: judge, .*presets: quick, /);
    assert.equal(server.calls.length, 2);
  });

  it("O-06: Ctrl-C prints what has been answered, exit code 130, and resume asks only the rest", async (t) => {
    let patient = false;
    const { place, server } = await practice(t, {
      respond: ({ body }) => (personaOf(body) === "judge" && !patient ? { kind: "silence" } : opinion("PROCEED", 90)),
    });
    const child = launch(place, ["ask", "--json", "--batch", "judge,critic,skeptic", "x"], {}, t);
    const end = ended(child);
    await journaled(join(place, ".coppice", "runs", "1"), 2);
    child.kill("SIGINT");
    const { code, stdout, stderr } = await end;
    assert.equal(code, 130);
    const { results, run } = parsed(stdout);
    assert.deepEqual(
      results.map(({ persona, ok, error }) => [persona, ok, error?.type]),
      [
        ["judge", false, "NotAnswered"],
        ["critic", true, undefined],
        ["skeptic", true, undefined],
      ],
    );
    assert.deepEqual([run.state, run.resume], ["interrupted", "coppice resume 1"]);
    assert.match(stderr, /interrupted by SIGINT; continue it with: coppice resume 1\n$/);
    assert.ok(
      server.calls.some(({ closedAtMs }) => closedAtMs !== undefined),
      "the server saw the connection close",
    );
    patient = true;
    const before = server.calls.length;
    const resumed = await coppice(place, ["resume", "1", "--json"]);
    assert.equal(resumed.code, 0);
    assert.equal(parsed(resumed.stdout).summary.ok, 3);
    assert.deepEqual(
      server.calls.slice(before).map(({ body }) => personaOf(body)),
      ["judge"],
    );
  });

  it("O-07: models per persona, and a key that is nowhere to be found afterwards", async (t) => {
    const key = "sk-never-written-down";
    const { place, server } = await practice(
      t,
      { respond: () => opinion("PROCEED", 90), key },
      { provider: { keyVariable: "MY_KEY" }, personas: { critic: "priced" } },
    );
    const ask = ["ask", "--batch", "judge,critic", "x"];
    const { code, stdout, stderr } = await coppice(place, ask, { MY_KEY: key, OPENAI_LOG: "debug" });
    assert.equal(code, 0);
    assert.deepEqual(
      new Set(server.calls.map(({ body }) => `${personaOf(body)} ${body.model}`)),
      new Set(["judge plain-1", "critic priced-1"]),
    );
    const wrong = await coppice(place, ask, { MY_KEY: `${key}-wrong`, OPENAI_LOG: "debug" });
    assert.equal(wrong.code, 1);
    const written = readdirSync(place, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => readFileSync(join(entry.parentPath, entry.name), "utf8"));
    for (const text of [stdout, stderr, wrong.stdout, wrong.stderr, ...written]) assert.ok(!text.includes(key));
    assertRefused(await coppice(place, ask), /no key for local\/plain-1: set MY_KEY, or choose/);
  });

  it("O-08: --dry-run prints the exact bodies and touches neither network nor disk", async (t) => {
    const { place, server } = await practice(t, { respond: () => opinion("PROCEED", 90) });
    const args = ["ask", "--batch", "judge,critic", "Shall we?", "--max-tokens", "77", "--effort", "high", "--json"];
    const { requests } = JSON.parse((await coppice(place, [...args, "--dry-run"])).stdout) as {
      requests: { label: string; url: string; body: unknown }[];
    };
    assert.equal(server.calls.length, 0);
    assert.ok(!existsSync(join(place, ".coppice")));
    await coppice(place, args);
    for (const { body } of server.calls) {
      const printed = requests.find(({ label }) => label === personaOf(body));
      assert.deepEqual(printed?.body, body);
      assert.equal(printed?.url, `${server.url}/chat/completions`);
    }
    assert.match(
      (await coppice(place, ["ask", "--dry-run", "x"])).stdout,
      /^# model\nPOST http.*\n\{\n {2}"model": "plain-1"/,
    );
  });

  it("O-09: --max-cost stops before the next request, keeps what was answered, and resume needs more money", async (t) => {
    const { place, server } = await practice(t, {
      respond: () => opinion("PROCEED", 90),
    });
    const args = ["ask", "--json", "--model", "priced", "--concurrency", "1", "--max-tokens", "50", "--all", "x"];
    const stopped = await coppice(place, [...args, "--max-cost", "0.08"]);
    const { results, summary, run } = parsed(stopped.stdout);
    assert.equal(stopped.code, 130);
    assert.match(
      run.message ?? "",
      /the budget of \$0\.0800 has \$0\.06\d+ spent, and the next request is expected to cost \$0\.0\d+ \(about .*--max-tokens/,
    );
    assert.ok(summary.ok >= 1 && summary.ok < 12, `${summary.ok} answered`);
    assert.equal(results.filter(({ ok }) => ok).length, server.calls.length);
    assert.ok((summary.cost ?? 0) <= 0.08);
    assertRefused(
      await coppice(place, ["resume", "1", "--max-cost", "0.001"]),
      /the budget is spent: \$0\.0\d+ of \$0\.0010/,
    );
    const { summary: all } = parsed((await coppice(place, ["resume", "1", "--json", "--max-cost", "2"])).stdout);
    assert.equal(all.ok, 12);
    assert.equal(server.calls.length, 12);
    assert.equal(server.mostAtOnce, 1, "resume keeps --concurrency");
    const unpriced = ["ask", "--max-cost", "1", "x"];
    assertRefused(
      await coppice(place, unpriced),
      /--max-cost: the price of local\/plain-1 is not known, .*; give it in /,
    );
  });

  it("O-10: --steps asks again until the target is reached, with a stance", async (t) => {
    let asked = 0;
    const { place, server } = await practice(t, { respond: () => opinion("PROCEED", 30 + 30 * asked++) });
    const args = ["ask", "--json", "--batch", "judge", "--stance", "against", "--steps", "5", "x"];
    const { results } = parsed((await coppice(place, [...args, "--target-confidence", "certain"])).stdout);
    assert.deepEqual([results[0].confidence, server.calls.length], [90, 3]);
    assert.match(server.calls[0].body.messages[0].content, /^Take the side against/);
    assertRefused(
      await coppice(place, ["ask", "--target-confidence", "low", "x"]),
      /--target-confidence needs --steps above 1/,
    );
  });

  it("O-11: --record and --replay give the same answers and the same digest without a network", async (t) => {
    const { place, server } = await practice(
      t,
      { respond: () => opinion("STOP", 55) },
      { provider: { keyVariable: "K" } },
    );
    const args = ["ask", "--json", "--batch", "quick", "x"];
    const recorded = parsed((await coppice(place, [...args, "--record", "answers.ndjson"], { K: "k" })).stdout);
    await server.close();
    const replayed = parsed((await coppice(place, [...args, "--replay", "answers.ndjson"])).stdout);
    assert.deepEqual(replayed.results, recorded.results);
    assert.equal(Reflect.get(replayed.run, "digest"), Reflect.get(recorded.run, "digest"));
    const other = parsed((await coppice(place, ["ask", "--json", "--replay", "answers.ndjson", "y"])).stdout);
    assert.equal(other.results[0].error?.type, "NotRecorded");
  });

  it("verify replays a run without asking anybody, and says where it can be repeated from", async (t) => {
    const { place, server } = await practice(t, { respond: () => opinion("STOP", 55) });
    await coppice(place, ["ask", "--batch", "quick", "x"]);
    const { code, stdout } = await coppice(place, ["verify", "1", "--all"]);
    assert.equal(code, 0);
    assert.match(stdout, /^run 1 is reproducible: 3 tells replayed, 0 of 3 evaluations done again\n/);
    assert.match(stdout, /from its journal, not from its seed: a language model answered/);
    assert.equal(server.calls.length, 3);
  });

  it("a killed run is resumed without asking again what was answered", async (t) => {
    const { place, server } = await practice(t, {
      respond: ({ body, index }) =>
        personaOf(body) === "judge" && index < 3 ? { kind: "silence" } : opinion("PROCEED", 90),
    });
    const child = launch(place, ["ask", "--batch", "judge,critic,skeptic", "x"], {}, t);
    const end = ended(child);
    await journaled(join(place, ".coppice", "runs", "1"), 2);
    child.kill("SIGKILL");
    await end;
    const { summary } = parsed((await coppice(place, ["resume", "1", "--json"])).stdout);
    assert.equal(summary.ok, 3);
    assert.deepEqual(
      server.calls.slice(3).map(({ body }) => personaOf(body)),
      ["judge"],
    );
  });

  it("commands are models too: with the prompt as an argument, or on standard input", async (t) => {
    const place = temporaryDirectory(t);
    const script = file(
      place,
      "model.sh",
      '#!/bin/sh\nif [ "$1" = "-p" ]; then printf "argument:%s" "$2"; else printf "input:"; cat; fi\n',
    );
    file(
      place,
      "coppice.models.yaml",
      `providers:\n  with: { command: "sh ${script} -p {prompt}" }\n  reading: { command: "sh ${script}" }\n  broken: { command: "sh -c 'echo no such model >&2; exit 3'" }\n`,
    );
    const content = async (model: string, text: string) =>
      parsed((await coppice(place, ["ask", "--json", "--model", model, text])).stdout).results[0];
    const tricky = "why \"this\" $HOME `date` 'and' {that}?";
    assert.equal((await content("with", tricky)).content, `argument:${tricky}`);
    assert.equal((await content("reading", tricky)).content, `input:${tricky}`);
    const { error } = await content("broken", "x");
    assert.deepEqual(error, { type: "CommandFailed", message: "the command failed: exit code 3: no such model" });
  });

  it("a user's own personas are asked like the built-in ones", async (t) => {
    const { place, server } = await practice(t, { respond: () => opinion("PROCEED", 90) });
    file(place, "gardener.md", "---\nname: gardener\nasks: Does it grow?\n---\nYou are the gardener.\n");
    await coppice(place, ["ask", "--persona-folder", ".", "--batch", "gardener", "x"]);
    assert.match(server.calls[0].body.messages[0].content, /^You are the gardener\./);
    const { stdout } = await coppice(place, ["ask", "--list", "--persona-folder", "."]);
    assert.match(stdout, /gardener +Does it grow\?/);
  });

  it("--demo answers without a key or a server, the same every time", async (t) => {
    const place = temporaryDirectory(t);
    const once = async () =>
      parsed((await coppice(place, ["ask", "--demo", "--json", "--preset", "quick", "x"])).stdout);
    const [first, second] = [await once(), await once()];
    assert.equal(first.summary.ok, 3);
    const contents = ({ results }: Document) => results.map(({ content }) => content);
    assert.deepEqual(contents(second), contents(first));
    assert.match(contents(first)[0], /Made up for the demo/);
  });
});

describe("coppice ask, given something wrong", { concurrency: 2 }, () => {
  const typed: [string, string[], RegExp][] = [
    ["an empty question", ["--demo", " "], /the question is empty/],
    ["no question at all", ["--demo"], /the question is empty/],
    ["no key", ["x"], /no key for openrouter\/openai\/gpt-5\.1: set OPENROUTER_API_KEY/],
    [
      "an unknown preset",
      ["--demo", "--preset", "slow", "x"],
      /no preset "slow"; there are: quick, comprehensive, .*all/,
    ],
    ["two ways to choose personas", ["--demo", "--all", "--batch", "judge", "x"], /cannot be used with/],
    ["a custom prompt and personas", ["--demo", "--custom-prompt", "y", "--all", "x"], /cannot be used with/],
    ["demo and a model", ["--demo", "--model", "m", "x"], /'--demo' cannot be used with option '--model/],
    ["record and replay", ["--demo", "--record", "a", "--replay", "b", "x"], /cannot be used with/],
    ["a recording that is not there", ["--demo", "--replay", "none", "x"], /recording .*none: there is no such file/],
    ["a recording into a device", ["--demo", "--record", "/dev/null", "x"], /\/dev\/null: it is not a regular file/],
    ["a models file without an end", ["--models", "/dev/zero", "x"], /\/dev\/zero: it is a device, not a file/],
    ["a model that is not there", ["--model", "nobody/x", "x"], /no model "nobody\/x" in the built-in models/],
    [
      "a models file that is not there",
      ["--models", "none.yaml", "x"],
      /models file .*none\.yaml: there is no such file/,
    ],
    ["a budget of nothing", ["--demo", "--max-cost", "0", "x"], /amount in US dollars above 0/],
    ["a negative budget", ["--demo", "--max-cost", "-1", "x"], /amount in US dollars above 0/],
    ["no concurrency", ["--demo", "--concurrency", "0", "x"], /whole number from 1 to 1000/],
    ["zero steps", ["--demo", "--steps", "0", "x"], /whole number from 1 to 20/],
    ["a stance without sense", ["--demo", "--stance", "maybe", "x"], /Allowed choices are for, against, neutral/],
  ];
  for (const [what, args, line] of typed) {
    it(`refuses ${what}, and touches nothing`, async (t) => {
      const place = temporaryDirectory(t);
      assertRefused(await coppice(place, ["ask", ...args], { OPENROUTER_API_KEY: "" }), line);
      assert.deepEqual(readdirSync(place), []);
    });
  }

  it("refuses to record into a file with something else in it, which stays as it was", async (t) => {
    const place = temporaryDirectory(t);
    const notes = file(place, "notes.md", "mine\n");
    assertRefused(
      await coppice(place, ["ask", "--demo", "--record", "notes.md", "x"]),
      /notes\.md: something else is in it/,
    );
    assert.equal(readFileSync(notes, "utf8"), "mine\n");
  });

  const files: [string, string, RegExp][] = [
    ["no YAML", "providers: [", /coppice\.models\.yaml: .*at line 1/],
    ["no providers", "models: {}", /coppice\.models\.yaml: providers: /],
    ["an unknown field", "providers: { a: { demo: true } }\nmodel: x", /coppice\.models\.yaml: .*model/],
    [
      "a key in the file",
      "providers: { a: { baseUrl: 'http://x/v1', keyVariable: 'sk-123' } }",
      /providers\.a\.keyVariable: must be the name of an environment variable, not the key itself/,
    ],
    [
      "an address without sense",
      "providers: { a: { baseUrl: 'x' } }",
      /providers\.a\.baseUrl: must be an http or https address/,
    ],
    [
      "a negative price",
      "providers: { a: { demo: true } }\nmodels: { m: { provider: a, price: { input: -1, output: 1 } } }",
      /models\.m\.price\.input/,
    ],
    [
      "a command that would run prompts as code",
      "providers: { a: { command: 'bash -c \"agent {prompt}\"' } }",
      /providers\.a\.command: \{prompt\}: bash would run it as code: .* bash -c '… "\$1"' sh \{prompt\}/,
    ],
  ];
  for (const [what, text, line] of files) {
    it(`refuses a models file with ${what}, by its place`, async (t) => {
      const place = temporaryDirectory(t);
      file(place, "coppice.models.yaml", text);
      assertRefused(await coppice(place, ["ask", "x"]), line);
    });
  }

  const asRoot = process.getuid?.() === 0 ? {} : { skip: "only root can make a file another user's" };
  it("refuses a models file above that a stranger made, unless it is named", asRoot, async (t) => {
    const place = temporaryDirectory(t);
    const models = file(place, "coppice.models.yaml", "providers: { a: { command: cat } }\ndefault: a\n");
    const below = join(place, "below");
    mkdirSync(below);
    assert.equal((await coppice(below, ["ask", "x"])).code, 0);
    chownSync(models, 65534, 65534);
    assertRefused(await coppice(below, ["ask", "x"]), /belongs to user 65534, .* name it with --models \//);
    assert.equal((await coppice(below, ["ask", "--models", models, "x"])).code, 0);
    chownSync(below, 65534, 65534);
    assert.equal((await coppice(below, ["ask", "x"])).code, 0);
  });
});
