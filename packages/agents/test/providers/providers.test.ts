import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import type { ModelRequest } from "../../src/models/consultation.ts";
import { Gateway } from "../../src/models/gateway.ts";
import { parseModels, readModels } from "../../src/models/models-file.ts";
import { claudeCodeAnswer } from "../../src/models/providers/claude-code.ts";
import { codexAnswer } from "../../src/models/providers/codex.ts";
import { KEY, standIns, startStandIns } from "./stand-ins.ts";

const request: Omit<ModelRequest, "model"> = {
  messages: [
    { role: "system", content: "Be short." },
    { role: "user", content: "How many?" },
  ],
  maxTokens: 50,
  temperature: 0.5,
  effort: "low",
  schema: { type: "object" },
};
const needsNoKey = ["ollama", "llama.cpp", "vllm"];

describe("each provider, against a stand-in that follows its published interface", () => {
  let server: Awaited<ReturnType<typeof startStandIns>>;
  before(async () => {
    server = await startStandIns();
    process.env.STAND_IN_KEY = KEY;
  });
  after(() => {
    delete process.env.STAND_IN_KEY;
    server.close();
  });

  const gatewayTo = (kind: string, more: Readonly<Record<string, unknown>> = {}) =>
    new Gateway({
      models: parseModels(
        JSON.stringify({
          providers: {
            p: {
              kind,
              baseUrl: `${server.origin}${standIns[kind].path.replace(/\/(chat\/completions|messages)$/, "")}`,
              ...(needsNoKey.includes(kind) ? {} : { keyVariable: "STAND_IN_KEY" }),
              ...(kind === "azure" ? { query: { "api-version": "preview" }, headers: { "x-team": "a" } } : {}),
              ...(kind === "openrouter" ? { reportsCost: true } : {}),
              ...more,
            },
          },
        }),
        "the test",
      ),
      place: "the test",
      timeoutMs: 10_000,
      retries: 0,
      concurrency: 5,
    });
  const ask = (gateway: Gateway) => gateway.ask({ ...request, model: "p/m" }, { signal: new AbortController().signal });

  for (const kind of Object.keys(standIns)) {
    it(`${kind}: everything that can be asked is taken, and the answer is whole`, async () => {
      const { content, reasoning, usage, cost } = await ask(gatewayTo(kind));
      assert.deepEqual([content, usage], ["four words", { promptTokens: 11, answerTokens: 7 }]);
      assert.equal(reasoning, ["openai", "azure", "google"].includes(kind) ? "" : "hm");
      assert.equal(cost, kind === "openrouter" ? 0.0042 : undefined);
    });

    it(`${kind}: a refusal is told in its own words`, async () => {
      const wrong = needsNoKey.includes(kind) ? { kind: "openrouter" } : { keyVariable: "OTHER_KEY" };
      process.env.OTHER_KEY = "sk-wrong-12345678";
      await assert.rejects(ask(gatewayTo(kind, wrong)), (error: Error) => {
        assert.match(error.message, /Incorrect API key|Access denied|Unrecognized request argument|invalid x-api-key/);
        assert.ok(!error.message.includes("sk-wrong"));
        return true;
      });
      delete process.env.OTHER_KEY;
    });
  }
});

describe("programs that are models", () => {
  it("claude -p --output-format json says its answer, tokens and cost, and fails with its own words", () => {
    const usage = { input_tokens: 3, cache_read_input_tokens: 4, output_tokens: 5 };
    const printed = {
      type: "result",
      subtype: "success",
      is_error: false,
      result: "yes\n",
      total_cost_usd: 0.01,
      usage,
    };
    assert.deepEqual(claudeCodeAnswer(JSON.stringify(printed)), {
      content: "yes",
      reasoning: "",
      usage: { promptTokens: 7, answerTokens: 5 },
      cost: 0.01,
    });
    const failed = JSON.stringify({ ...printed, is_error: true, result: "Credit balance is too low" });
    assert.throws(() => claudeCodeAnswer(failed), /claude failed: Credit balance is too low/);
    assert.throws(() => claudeCodeAnswer("yes"), /did not print the JSON/);
  });

  it("codex exec --json says its last message and its tokens", () => {
    const lines = [
      { type: "thread.started", thread_id: "1" },
      { type: "item.completed", item: { type: "reasoning", text: "hm" } },
      { type: "item.completed", item: { type: "agent_message", text: "let me see" } },
      { type: "item.completed", item: { type: "agent_message", text: "yes" } },
      { type: "turn.completed", usage: { input_tokens: 3, cached_input_tokens: 0, output_tokens: 5 } },
    ].map((line) => JSON.stringify(line));
    const { content, reasoning, usage } = codexAnswer(lines.join("\n"));
    assert.deepEqual([content, reasoning, usage], ["yes", "hm", { promptTokens: 3, answerTokens: 5 }]);
    const failed = JSON.stringify({ type: "turn.failed", error: { message: "usage limit reached" } });
    assert.throws(() => codexAnswer(failed), /codex failed: usage limit reached/);
  });
});

it("the provider whose key is set is the default", (t) => {
  const variables = ["OPENROUTER_API_KEY", "OPENAI_API_KEY", "ANTHROPIC_API_KEY", "GEMINI_API_KEY"];
  const before = variables.map((name) => [name, process.env[name]] as const);
  t.after(() => {
    for (const [name, value] of before) {
      if (value === undefined) delete process.env[name];
      else process.env[name] = value;
    }
  });
  const chosen = (set: readonly string[]) => {
    for (const name of variables) delete process.env[name];
    for (const name of set) process.env[name] = "x";
    return readModels(undefined, "/").file.default;
  };
  assert.equal(chosen([]), "openrouter/openai/gpt-5.1");
  assert.equal(chosen(["ANTHROPIC_API_KEY"]), "anthropic/claude-sonnet-5");
  assert.equal(chosen(["GEMINI_API_KEY"]), "google/gemini-2.5-flash");
  assert.equal(chosen(["OPENAI_API_KEY", "GEMINI_API_KEY"]), "openai/gpt-5.1");
});
