import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, it } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { parallelMap } from "@coppice/engine/parallel-map";
import type { Behaviour } from "../practice-server/behaviour.ts";
import { PracticeServer, type PracticeServerOptions } from "../practice-server/practice-server.ts";
import type { ModelError, ModelRequest } from "./consultation.ts";
import { type ConsultContext, Gateway } from "./gateway.ts";
import type { ModelsFile } from "./models-file.ts";
import { parseModels } from "./models-file.ts";

const request: ModelRequest = { model: "local/m", messages: [{ role: "user", content: "why?" }] };
const answer: Behaviour = { kind: "answer", content: "because it is so", reasoning: "let me see" };

interface Bench {
  readonly server: PracticeServer;
  readonly gateway: Gateway;
  readonly ask: (request?: Partial<ModelRequest>, signal?: AbortSignal) => ReturnType<Gateway["ask"]>;
}

async function withServer(
  server: PracticeServerOptions | Behaviour | readonly Behaviour[],
  test: (bench: Bench) => Promise<void>,
  options: Partial<ConsultContext> = {},
  provider: Record<string, unknown> = {},
): Promise<void> {
  const script = "respond" in server ? undefined : Array.isArray(server) ? server : [server];
  const respond: PracticeServerOptions =
    script === undefined
      ? (server as PracticeServerOptions)
      : { respond: ({ index }) => script[Math.min(index, script.length - 1)] };
  await using practice = await PracticeServer.start(respond);
  const gateway = new Gateway({
    models: modelsOf({ baseUrl: practice.url, ...provider }),
    place: "the test",
    timeoutMs: 5000,
    retries: 2,
    backoffMs: 1,
    concurrency: 50,
    ...options,
  });
  const ask: Bench["ask"] = (more = {}, signal = new AbortController().signal) =>
    gateway.ask({ ...request, ...more }, { signal });
  await test({ server: practice, gateway, ask });
  await gateway.close();
}

function modelsOf(local: Record<string, unknown>): ModelsFile {
  return parseModels(
    JSON.stringify({
      providers: { local },
      models: { priced: { provider: "local", model: "priced", price: { input: 10, output: 100 } } },
    }),
    "the test",
  );
}

/** The failure of a request that must fail. */
async function trouble(asked: Promise<unknown>): Promise<ModelError> {
  return asked.then(
    () => assert.fail("there was an answer"),
    (error: ModelError) => error,
  );
}

/** Asks a provider that misbehaves twice. */
async function triesAgain(behaviour: Behaviour): Promise<void> {
  await withServer([behaviour, behaviour, answer], async ({ ask, server }) => {
    assert.equal((await ask()).content, "because it is so");
    assert.equal(server.calls.length, 3);
  });
}

describe("the gateway to models", () => {
  for (const stream of [true, false]) {
    it(`gets content, thoughts and tokens, ${stream ? "streamed" : "whole"}`, async () => {
      await withServer(
        answer,
        async ({ ask, server }) => {
          const { ms, ...said } = await ask({ temperature: 0.5, maxTokens: 9, effort: "low", json: true });
          assert.deepEqual(said, {
            content: "because it is so",
            reasoning: "let me see",
            usage: { promptTokens: 1, answerTokens: 7 },
          });
          assert.ok(ms >= 0);
          const { messages, ...body } = server.calls[0].body;
          assert.deepEqual(messages, request.messages);
          assert.deepEqual(body, {
            model: "m",
            temperature: 0.5,
            max_tokens: 9,
            reasoning: { effort: "low" },
            response_format: { type: "json_object" },
            ...(stream ? { stream: true, stream_options: { include_usage: true } } : {}),
          });
          assert.equal(server.calls[0].headers.authorization, undefined);
        },
        {},
        { stream },
      );
    });
  }

  it("reads a whole answer from a server that does not stream", async () => {
    await withServer({ kind: "answer", content: "whole", whole: true }, async ({ ask }) => {
      assert.equal((await ask()).content, "whole");
    });
  });

  it("shows how much of a streamed answer has come", async () => {
    await withServer({ kind: "answer", content: "one two three", pieces: 3 }, async ({ gateway }) => {
      const seen: number[] = [];
      await gateway.ask(request, { signal: new AbortController().signal, arrived: (count) => seen.push(count) });
      assert.deepEqual([...new Set(seen)], [0, 4, 8, 13]);
    });
  });

  const passing: [string, Behaviour][] = [
    ["500", { kind: "status", status: 500 }],
    ["503", { kind: "status", status: 503 }],
    ["a connection cut before the answer", { kind: "cut" }],
    ["a connection cut in the answer", { kind: "cut", after: "half" }],
    ["malformed JSON", { kind: "malformed" }],
    ["an answer without choices", { kind: "no-choices" }],
  ];
  for (const [what, behaviour] of passing) {
    it(`O-06: tries again after ${what}`, async () => triesAgain(behaviour));
  }

  const final: [string, Behaviour, Partial<ModelError>, number][] = [
    ["500 again and again", { kind: "status", status: 500 }, { name: "HttpError", status: 500 }, 3],
    ["400", { kind: "status", status: 400 }, { name: "HttpError", status: 400 }, 1],
    ["401", { kind: "status", status: 401 }, { name: "HttpError", status: 401 }, 1],
    ["a web page", { kind: "web-page" }, { name: "BadAnswer" }, 1],
    ["cut connections", { kind: "cut" }, { name: "ConnectionLost" }, 3],
    ["broken streams", { kind: "cut", after: "half" }, { name: "ConnectionLost" }, 3],
    ["malformed JSON", { kind: "malformed" }, { name: "BadAnswer", message: "the answer is not valid JSON" }, 3],
    ["no choices", { kind: "no-choices" }, { name: "BadAnswer", message: "the answer has no choices" }, 3],
    ["nothing", { kind: "answer", content: " " }, { name: "EmptyAnswer", message: "the model returned nothing" }, 1],
    ["a wish for an hour of patience", { kind: "status", status: 429, retryAfter: "3600" }, { name: "RateLimited" }, 1],
  ];
  for (const [what, behaviour, expected, calls] of final) {
    it(`gives up on a provider that answers with ${what}`, async () => {
      await withServer(behaviour, async ({ ask, server }) => {
        const error = await trouble(ask());
        for (const [field, value] of Object.entries(expected)) assert.equal(Reflect.get(error, field), value);
        assert.ok(!error.message.includes("\n") && error.message.length < 400, error.message);
        assert.equal(server.calls.length, calls);
      });
    });
  }

  it("says that nobody listens at an address", async () => {
    const server = await PracticeServer.start({ respond: () => answer });
    const models = modelsOf({ baseUrl: server.url });
    const { origin } = new URL(server.url);
    await server.close();
    const gateway = new Gateway({ models, place: "", timeoutMs: 1000, retries: 0, concurrency: 50 });
    const error = await trouble(gateway.ask(request, { signal: new AbortController().signal }));
    assert.deepEqual([error.name, error.message], ["ConnectionLost", `no connection to ${origin}: ECONNREFUSED`]);
  });

  it("waits for a slow first byte, up to the time limit", async () => {
    const slow: Behaviour = { kind: "answer", content: "slow", latencyMs: 250, firstByteMs: 250 };
    await withServer(slow, async ({ ask }) => assert.equal((await ask()).content, "slow"));
    await withServer(
      { kind: "silence" },
      async ({ ask, server }) => {
        const error = await trouble(ask());
        assert.deepEqual([error.name, error.message], ["ModelTimeout", "no answer within 250 ms"]);
        // On a busy machine the limit may pass before the request has arrived.
        while (server.underWay > 0) await sleep(1);
        assert.ok(server.calls.length <= 1, "not asked again");
        assert.ok(server.calls.every(({ closedAtMs }) => closedAtMs !== undefined));
      },
      { timeoutMs: 250 },
    );
  });

  it("closes the connection of an aborted request, and counts it as waste", async () => {
    const slow: Behaviour = { kind: "answer", content: "word ".repeat(100), latencyMs: 10_000, pieces: 10 };
    await withServer(slow, async ({ ask, server, gateway }) => {
      const stop = new AbortController();
      const asked = trouble(ask({ model: "priced" }, stop.signal));
      while (server.calls[0]?.status === undefined) await sleep(1);
      const at = performance.now();
      stop.abort(new Error("enough"));
      assert.equal((await asked).message, "enough");
      while (server.calls[0].closedAtMs === undefined) await sleep(1);
      assert.ok(server.calls[0].closedAtMs - at < 5000);
      const { aborted, wasted, answered } = gateway.spending();
      assert.deepEqual([aborted, answered], [1, 0]);
      assert.ok(wasted > 0);
    });
  });

  it("O-07: sends the key, and never tells it, not even when the provider repeats it", async () => {
    const key = "sk-very-secret-123";
    process.env.COPPICE_TEST_KEY = key;
    try {
      await withServer(
        { respond: () => answer, key },
        async ({ ask, server }) => {
          await ask();
          assert.equal(server.calls[0].headers.authorization, `Bearer ${key}`);
        },
        {},
        { keyVariable: "COPPICE_TEST_KEY" },
      );
      await using telltale = await PracticeServer.start({ respond: () => answer, key: "another" });
      const gateway = new Gateway({
        models: modelsOf({ baseUrl: telltale.url.replace("/v1", `/${key}/x`), keyVariable: "COPPICE_TEST_KEY" }),
        place: "",
        timeoutMs: 1000,
        retries: 0,
        concurrency: 50,
      });
      const error = await trouble(gateway.ask(request, { signal: new AbortController().signal }));
      assert.ok(!JSON.stringify([error.message, error.stack, error.headers]).includes(key));
    } finally {
      delete process.env.COPPICE_TEST_KEY;
    }
  });

  it("O-07: never asks a provider whose key is not set", async () => {
    await withServer(
      answer,
      async ({ ask, server }) => {
        const error = await trouble(ask());
        assert.deepEqual([error.name, error.message], ["NoKey", "no key for provider local: set COPPICE_NO_KEY"]);
        assert.equal(server.calls.length, 0);
      },
      {},
      { keyVariable: "COPPICE_NO_KEY" },
    );
  });

  it("O-09: counts tokens and money, by the price or by the provider's own account", async () => {
    await withServer(answer, async ({ ask, gateway }) => {
      const { cost } = await ask({ model: "priced" });
      assert.equal(cost, (1 * 10 + 7 * 100) / 1e6);
      assert.equal((await ask()).cost, undefined);
      const { promptTokens, answerTokens, answered, cost: total } = gateway.spending();
      assert.deepEqual([promptTokens, answerTokens, answered, total], [2, 14, 2, cost]);
    });
    const usage = { prompt_tokens: 3, completion_tokens: 4, cost: 0.25 };
    await withServer({ kind: "answer", content: "x", usage }, async ({ ask }) => {
      assert.equal((await ask({ model: "priced" })).cost, 0.25);
    });
  });

  it("O-09: sends nothing that does not fit into the budget, and says when the last has ended", async () => {
    const usage = { prompt_tokens: 0, completion_tokens: 0, cost: 0.3 };
    await withServer({ kind: "answer", content: "x", usage, latencyMs: 20 }, async ({ ask, gateway, server }) => {
      const stop = new AbortController();
      const { promise, resolve } = Promise.withResolvers<void>();
      gateway.budget.limit(1, 0.2, () => {
        resolve();
        return undefined;
      });
      for (let i = 0; i < 2; i++) await ask({ model: "local/free" }, stop.signal);
      const further = Array.from({ length: 4 }, () => trouble(ask({ model: "local/free" }, stop.signal)));
      await promise;
      stop.abort(new Error("no money"));
      const answers = (await Promise.all(further)).map(({ message }) => message);
      assert.equal(answers.filter((each) => each === "no money").length, 4, "the third would not have fitted");
      assert.equal(server.calls.length, 2);
    });
  });

  it("keeps a provider's own limits, whoever asks", async () => {
    await withServer(
      { kind: "answer", content: "x", latencyMs: 10 },
      async ({ ask, server }) => {
        await parallelMap([1, 2, 3], () => parallelMap([1, 2, 3, 4], () => ask()));
        assert.equal(server.calls.length, 12);
        assert.ok(server.mostAtOnce <= 3, `${server.mostAtOnce} at once`);
      },
      {},
      { maxConcurrent: 3 },
    );
  });

  it("never has more under way than its own limit, whoever asks", async () => {
    await withServer(
      { kind: "answer", content: "x", latencyMs: 10 },
      async ({ ask, server }) => {
        const items = Array.from({ length: 60 }, (_, i) => i);
        await parallelMap(items, () => parallelMap([1, 2], () => ask()));
        assert.equal(server.calls.length, 120);
        assert.ok(server.mostAtOnce <= 4, `${server.mostAtOnce} at once`);
      },
      { concurrency: 4 },
    );
  });

  it("counts what a failed answer cost, and says so in what the journal keeps", async () => {
    const usage = { prompt_tokens: 100, completion_tokens: 1000 };
    await withServer({ kind: "answer", content: "", reasoning: "hm", usage }, async ({ ask, gateway }) => {
      const error = await trouble(ask({ model: "priced" }));
      const cost = (100 * 10 + 1000 * 100) / 1e6;
      assert.deepEqual(error.data, { usage: { promptTokens: 100, answerTokens: 1000 }, cost });
      assert.equal(gateway.spending().cost, cost);
      assert.equal(error.message, "the model thought (2 characters) and said nothing");
    });
  });

  it("adds what attempts cost that came to nothing, and marks what nobody counted", async () => {
    const half: Behaviour = { kind: "cut", after: "half of it all" };
    await withServer([half, { kind: "answer", content: "whole", usage: null }], async ({ ask }) => {
      const { cost, usage, estimated } = await ask({ model: "priced" });
      assert.deepEqual([usage, estimated], [{ promptTokens: 2, answerTokens: 6 }, true]);
      assert.equal(cost, (2 * 10 + 6 * 100) / 1e6);
    });
  });

  it("fails at once when the account is empty, in the provider's words, and sends nothing more there", async () => {
    const error = {
      message: "You exceeded your current quota",
      type: "insufficient_quota",
      code: "insufficient_quota",
    };
    await withServer({ kind: "status", status: 429, error }, async ({ ask, server }) => {
      const first = await trouble(ask());
      assert.deepEqual([first.name, server.calls.length], ["QuotaExhausted", 1]);
      assert.match(first.message, /You exceeded your current quota/);
      await trouble(ask());
      assert.equal(server.calls.length, 1);
    });
  });

  it("continues an answer that was cut, and counts all of it", async () => {
    const usage = { prompt_tokens: 10, completion_tokens: 5, cost: 0.25 };
    const parts: Behaviour[] = [
      { kind: "answer", content: "one two", finish: "length", usage },
      { kind: "answer", content: " three", usage },
    ];
    await withServer(parts, async ({ ask }) => assert.equal((await ask()).unfinished, "cut"));
    await withServer(
      parts,
      async ({ ask, server }) => {
        const { content, unfinished, cost } = await ask();
        assert.deepEqual([content, unfinished, cost], ["one two three", undefined, 0.5]);
        assert.deepEqual(server.calls[1].body.messages.at(-2), { role: "assistant", content: "one two" });
      },
      { continueCut: true },
    );
  });

  const instead: [string, Behaviour, string, RegExp][] = [
    ["a refusal", { kind: "answer", content: "", refusal: "I can't help" }, "Refused", /refused: I can't help/],
    ["a filter", { kind: "answer", content: "", finish: "content_filter" }, "Filtered", /content filter/],
    ["a tool call", { kind: "answer", content: "", tools: ["search"], finish: "tool_calls" }, "ToolCall", /\(search\)/],
    ["thoughts", { kind: "answer", content: "", reasoning: "hm", finish: "length" }, "EmptyAnswer", /--max-tokens/],
    [
      "an error in a 200",
      { kind: "json", body: { error: { message: "no such model", code: 404 } } },
      "HttpError",
      /no such model/,
    ],
    [
      "an error in a stream",
      {
        kind: "events",
        events: [{ choices: [{ delta: { content: "a" } }] }, { error: { message: "overloaded", code: 404 } }],
      },
      "HttpError",
      /overloaded/,
    ],
  ];
  for (const [what, behaviour, name, message] of instead) {
    it(`tells ${what} from an answer`, async () => {
      await withServer(behaviour, async ({ ask, server }) => {
        const error = await trouble(ask());
        assert.equal(error.name, name);
        assert.match(error.message, message);
        assert.equal(server.calls.length, 1);
      });
    });
  }

  it("never has more under way than the process-wide limit, over nested fan-outs", async () => {
    const nested = async ({ ask, server }: Bench) => {
      const items = Array.from({ length: 30 }, (_, i) => i);
      await parallelMap(items, () => parallelMap([1, 2, 3, 4, 5], () => ask()));
      assert.equal(server.calls.length, 150);
      assert.ok(server.mostAtOnce <= 50, `${server.mostAtOnce} at once`);
    };
    // The limit of an attempt is not what this is about, and a busy machine is slow.
    await withServer({ kind: "answer", content: "x", latencyMs: 30 }, nested, { timeoutMs: 120_000 });
  });

  it("O-11: records answers and failures, and replays them without a network", async (t) => {
    const directory = mkdtempSync(join(tmpdir(), "coppice-recording-"));
    t.after(() => rmSync(directory, { recursive: true, force: true }));
    const path = join(directory, "answers.ndjson");
    const other: Partial<ModelRequest> = { messages: [{ role: "user", content: "and this?" }] };
    let said: unknown;
    await withServer(
      [answer, { kind: "status", status: 400 }],
      async ({ ask }) => {
        said = await ask();
        await trouble(ask(other));
      },
      { record: path },
    );
    assert.equal(readFileSync(path, "utf8").trim().split("\n").length, 2);
    await withServer(
      answer,
      async ({ ask, server, gateway }) => {
        assert.deepEqual(await ask(), said);
        assert.deepEqual((await trouble(ask(other))).name, "HttpError");
        assert.equal((await trouble(ask({ temperature: 1 }))).name, "NotRecorded");
        assert.equal(server.calls.length, 0);
        assert.equal(gateway.spending().answered, 1);
      },
      { replay: path },
    );
  });
});

describe("the gateway, told to wait", { concurrency: true }, () => {
  const refusals: [string, Behaviour][] = [
    ["429 with Retry-After", { kind: "status", status: 429, retryAfter: "0" }],
    ["429 without", { kind: "status", status: 429 }],
  ];
  for (const [what, behaviour] of refusals) {
    it(`O-06: tries again after ${what}`, async () => triesAgain(behaviour));
  }

  it("obeys retry-after-ms, and says until when it waits", async () => {
    const said: string[] = [];
    const soon: Behaviour = { kind: "status", status: 429, retryAfter: "30", headers: { "retry-after-ms": "1001" } };
    await withServer([soon, answer], async ({ ask, gateway }) => {
      gateway.onWait = (line) => said.push(line);
      await ask();
      assert.match(said.join(), /^local says 429 \(too many requests\): waiting 2 s, until \d\d:\d\d:\d\d$/);
    });
  });

  it("waits as long as Retry-After says", async () => {
    await withServer([{ kind: "status", status: 429, retryAfter: "1" }, answer], async ({ ask, server }) => {
      await ask();
      const [first, second] = server.calls;
      assert.ok(second.atMs - first.atMs >= 990, `${second.atMs - first.atMs} ms`);
    });
  });
});
