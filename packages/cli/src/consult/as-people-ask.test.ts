import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import { type Behaviour, question } from "@coppice/agents/practice-server";
import { assertRefused, coppice, document, ended, file, launchShell } from "../../test/coppice.ts";
import { opinion, practice } from "../../test/practice.ts";

const saying = (content: string) => ({ kind: "answer", content }) as const;

describe("as people ask", { concurrency: 2 }, () => {
  it("the answer of one model is alone on standard output, what is said of it beside", async (t) => {
    const { place } = await practice(t, { respond: () => saying("It is so.\n") });
    const { stdout, stderr } = await coppice(place, ["ask", "--cache", "Is it so?"]);
    assert.equal(stdout, "It is so.\n");
    assert.match(stderr, /\n1 answered, 0 failed · .* tokens asked/);
    const again = await coppice(place, ["ask", "--cache", "Is it so?", "--model", "priced"]);
    assert.equal(again.stdout, "It is so.\n");
    const saved = await coppice(place, ["ask", "--cache", "--model", "priced", "Is it so?"]);
    assert.match(saved.stderr, /0 tokens asked, 0 answered · \$0\.0000 \(\$0\.0\d+ saved\)/);
  });

  const terminal = /util-linux/.test(spawnSync("script", ["--version"], { encoding: "utf8" }).stdout ?? "");
  it("at a terminal the answer is written alone, without a display that redraws itself", {
    skip: !terminal && "there is no script of util-linux",
  }, async (t) => {
    const { place } = await practice(t, { respond: () => saying("It is so.\n") });
    const line = 'exec script -qec "\\"$0\\" \\"$1\\" ask sure?" /dev/null';
    const { stdout, code } = await ended(launchShell(place, line, [], t));
    assert.match(stdout, /^(?:\^D[\b]*)?It is so\.\r\n1 answered, 0 failed · .*\r\n$/);
    assert.equal(code, 0);
  });

  it("a cut answer says so, an answer that is missing says why, and neither spoils what is piped", async (t) => {
    const { place } = await practice(t, {
      respond: (call) =>
        question(call) === "long?"
          ? { ...saying("half of"), finish: "length" }
          : { kind: "answer", content: "", refusal: "I would rather not" },
    });
    const cut = await coppice(place, ["ask", "long?"]);
    assert.deepEqual([cut.stdout, cut.code], ["half of\n", 0]);
    assert.match(cut.stderr, /\[cut at the limit of its length: raise --max-tokens, .*--continue-cut\]/);
    const refused = await coppice(place, ["ask", "please?"]);
    assert.deepEqual([refused.stdout, refused.code], ["", 1]);
    assert.match(refused.stderr, /Refused: the model refused: I would rather not/);
    const journal = readFileSync(join(place, ".coppice", "runs", "2", "journal.ndjson"), "utf8");
    assert.match(journal, /"usage":\{"promptTokens":\d+,"answerTokens":\d+\}/);
  });

  it("a command that prints more than is read is shown as far as it was, and said to be cut", async (t) => {
    const much = ["sh", "-c", "head -c 9000000 /dev/zero | tr '\\0' x"];
    const providers = { local: { baseUrl: "http://127.0.0.1:9" }, much: { command: much } };
    const { place } = await practice(t, { respond: () => saying("") }, { file: { providers } });
    const { stdout, stderr, code } = await coppice(place, ["ask", "--model", "much/any", "all of it?"]);
    assert.deepEqual([stdout.length, code], [8 * 1024 * 1024 + 1, 0]);
    assert.match(stderr, /\[the command printed more than is read: the rest is missing\]/);
    const twice = await coppice(place, ["ask", "--json", "--model", "much/any", "all of it?"]);
    const [answer] = document(twice).results as { unfinished: unknown }[];
    assert.equal(answer.unfinished, "overflown");
  });

  it("two runs with the same answers have the same digest, however long the answers took", async (t) => {
    let latencyMs = 0;
    const { place } = await practice(t, { respond: () => ({ ...opinion("PROCEED", 90), latencyMs }) as Behaviour });
    file(place, "a.txt", "one\ntwo\n");
    const tools = [
      ["ask", "--batch", "critic,skeptic", "Shall we?"],
      ["council", "--preset", "quick", "--max-rounds", "1", "Shall we?"],
      ["swarm", "--analyze", "Shall we?"],
      ["digest", "a.txt", "--fresh", "--question", "What?"],
    ];
    for (latencyMs of [0, 40]) for (const args of tools) await coppice(place, [...args, "--quiet"]);
    const runs = JSON.parse((await coppice(place, ["runs", "--json"])).stdout) as { tool: string; digest: string }[];
    const digests = runs.map(({ tool, digest }) => `${tool} ${digest}`);
    assert.deepEqual(digests.slice(tools.length), digests.slice(0, tools.length));
    assert.deepEqual(
      runs.map(({ tool, digest }) => `${tool} ${digest.length}`),
      [...tools, ...tools].map(([tool]) => `${tool} 64`),
    );
  });

  it("several models are asked side by side, with time, cost and how much they agree", async (t) => {
    const { place, server } = await practice(t, {
      respond: ({ body }) => saying(`${body.model} says yes to all of it`),
    });
    const { stdout, stderr } = await coppice(place, ["ask", "--model", "plain,priced", "Shall we?"]);
    assert.match(stdout, /── local\/plain-1\nplain-1 says yes[\s\S]*── local\/priced-1\npriced-1 says yes/);
    assert.match(
      stderr,
      /model +time +tokens +cost +wording shared\nlocal\/plain-1 .*unknown .*%\nlocal\/priced-1 .*\$/,
    );
    assert.deepEqual(new Set(server.calls.map(({ body }) => body.model)), new Set(["plain-1", "priced-1"]));
    assertRefused(
      await coppice(place, ["swarm", "--model", "plain,priced", "--batch", "2", "x"]),
      /ask and council take several/,
    );
  });

  it("files are attached as data, and a link out of the project is not followed", async (t) => {
    const { place, server } = await practice(t, { respond: () => saying("read") });
    file(place, "notes.md", "line one\n");
    await coppice(place, ["ask", "--attach", "notes.md", "What is missing?"]);
    assert.match(question(server.calls[0]), /^What is missing\?\n\n<data-\w+ name="notes\.md">\nline one\n<\/data/);
    symlinkSync("/etc/hostname", join(place, "link"));
    assertRefused(
      await coppice(place, ["ask", "--attach", "link", "x"]),
      /--attach link: it is a link out of the project, to /,
    );
    assertRefused(await coppice(place, ["ask", "--attach", "none", "x"]), /--attach none: there is no such file/);
    assert.equal(server.calls.length, 1);
  });

  it("--continue asks on, in the last run or in a named one, and never eats the question", async (t) => {
    const { place, server } = await practice(t, { respond: ({ index }) => saying(`answer ${index}`) });
    assertRefused(await coppice(place, ["ask", "--continue", "x"]), /--continue: no question has been asked in /);
    await coppice(place, ["ask", "first?"]);
    await coppice(place, ["ask", "--continue", "second?"]);
    await coppice(place, ["ask", "--continue", "1", "other?"]);
    assert.deepEqual(
      server.calls.map(({ body }) => body.messages.map(({ content }) => content)),
      [["first?"], ["first?", "answer 0", "second?"], ["first?", "answer 0", "other?"]],
    );
  });

  it("--schema: an answer of the wrong shape is repaired once, and refused if it is still wrong", async (t) => {
    const answers = ["Sure: {}", '{"n": 3}', "{}", '{"n": "x"}'];
    const { place, server } = await practice(t, { respond: ({ index }) => saying(answers[index]) });
    const schema = '{"type":"object","properties":{"n":{"type":"integer"}},"required":["n"]}';
    const { results } = JSON.parse(
      (await coppice(place, ["ask", "--json", "--schema", schema, "How many?"])).stdout,
    ) as {
      results: readonly { value: unknown; steps: number }[];
    };
    assert.deepEqual([results[0].value, results[0].steps], [{ n: 3 }, 2]);
    assert.match(question(server.calls[1]), /not valid against the schema: n: .*Give the whole answer again/);
    assert.deepEqual(server.calls[0].body.response_format, {
      type: "json_schema",
      json_schema: { name: "answer", schema: JSON.parse(schema) },
    });
    const wrong = await coppice(place, ["ask", "--schema", schema, "How many?"]);
    assert.equal(wrong.code, 1);
    assert.match(wrong.stderr, /WrongShape: still not valid against the schema: n: /);
    assertRefused(await coppice(place, ["ask", "--schema", "[1]", "x"]), /--schema \[1\]: there is no such file/);
    assertRefused(await coppice(place, ["ask", "--schema", "{", "x"]), /--schema: not JSON/);
    const sent = server.calls.length;
    const noList = '{"type":"object","required":"n"}';
    assertRefused(
      await coppice(place, ["ask", "--schema", noList, "x"]),
      /--schema: it is not a JSON Schema that can be checked: required: it must be a list, not a text/,
    );
    assert.equal(server.calls.length, sent, "nothing is sent with a schema that cannot be checked");
  });

  it("council --rank: members rank each other's answers without names, and a chair makes one of them", async (t) => {
    const { place, server } = await practice(t, {
      respond: (call) => {
        const asked = question(call);
        if (asked.includes("RANKING:")) {
          const best = /name="Answer (\w)">\nplain-1/.exec(asked)?.[1] ?? "";
          return saying(`RANKING:\n1. Answer ${best}\n2. Answer ${best === "A" ? "B" : "A"}`);
        }
        return saying(asked.includes("the one they ranked best first") ? "All in all." : `${call.body.model} thinks`);
      },
    });
    const { stdout, stderr, code } = await coppice(place, ["council", "--rank", "--model", "priced,plain", "Why?"]);
    assert.deepEqual([stdout, code, server.calls.length], ["All in all.\n", 0, 5]);
    assert.match(stderr, /local\/plain-1 +1\.00 +1 +1\nlocal\/priced-1 +2\.00 +2 +2\n/);
    const judged = server.calls.filter((call) => question(call).includes("RANKING:"));
    assert.ok(
      judged.every((call) => !/local\//.test(question(call))),
      "no names",
    );
    assert.equal((await coppice(place, ["verify", "1"])).code, 0);
    assertRefused(await coppice(place, ["council", "--rank", "--personas", "judge", "x"]), /--rank needs two members/);
  });
});
