import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import type { Behaviour } from "./behaviour.ts";
import { PracticeServer, type PracticeServerOptions } from "./practice-server.ts";

async function served(
  options: PracticeServerOptions,
  test: (server: PracticeServer, post: (stream?: boolean, signal?: AbortSignal) => Promise<Response>) => Promise<void>,
): Promise<void> {
  await using server = await PracticeServer.start(options);
  const post = (stream = false, signal?: AbortSignal) =>
    fetch(`${server.url}/chat/completions`, {
      method: "POST",
      body: JSON.stringify({
        model: "m",
        messages: [{ role: "user", content: "why?" }],
        ...(stream ? { stream, stream_options: { include_usage: true } } : {}),
      }),
      ...(signal === undefined ? {} : { signal }),
    });
  await test(server, post);
}

const always = (behaviour: Behaviour) => ({ respond: () => behaviour });

describe("the practice server", () => {
  it("answers whole, with a count of tokens", async () => {
    await served(always({ kind: "answer", content: "because", reasoning: "hm" }), async (_server, post) => {
      const { choices, usage } = (await (await post()).json()) as {
        choices: { message: { content: string; reasoning: string } }[];
        usage: unknown;
      };
      assert.deepEqual(choices[0].message, { role: "assistant", content: "because", reasoning: "hm" });
      assert.deepEqual(usage, { prompt_tokens: 1, completion_tokens: 3, total_tokens: 4 });
    });
  });

  it("streams an answer in pieces that add up to it", async () => {
    const content = "one two  three\nfour";
    await served(always({ kind: "answer", content }), async (_server, post) => {
      const response = await post(true);
      assert.equal(response.headers.get("content-type"), "text/event-stream");
      const lines = (await response.text()).split("\n").filter((line) => line.startsWith("data: "));
      assert.equal(lines.pop(), "data: [DONE]");
      const chunks = lines.map(
        (line) => JSON.parse(line.slice(6)) as { choices: { delta: { content?: string } }[]; usage?: unknown },
      );
      assert.equal(chunks.map(({ choices }) => choices[0]?.delta.content ?? "").join(""), content);
      assert.ok(chunks.at(-1)?.usage !== undefined);
    });
  });

  it("misbehaves as it is told", async () => {
    const script: Behaviour[] = [
      { kind: "status", status: 503 },
      { kind: "status", status: 429, retryAfter: "7" },
      { kind: "malformed" },
      { kind: "web-page" },
      { kind: "no-choices" },
      { kind: "cut" },
    ];
    await served({ respond: ({ index }) => script[index] }, async (server, post) => {
      assert.equal((await post()).status, 503);
      assert.equal((await post()).headers.get("retry-after"), "7");
      await assert.rejects((await post()).json());
      assert.match(await (await post()).text(), /<!doctype html>/);
      assert.deepEqual(((await (await post()).json()) as { choices: unknown[] }).choices, []);
      await assert.rejects(post());
      assert.equal(server.calls.length, 6);
    });
  });

  it("cuts a stream in the middle", async () => {
    await served(always({ kind: "cut", after: "half of" }), async (_server, post) => {
      const response = await post(true);
      let text = "";
      await assert.rejects(async () => {
        for await (const part of response.body ?? []) text += Buffer.from(part).toString();
      });
      assert.match(text, /half of/);
    });
  });

  it("sees when a client gives up, and when it does not", async () => {
    await served(
      { respond: ({ index }) => (index === 0 ? { kind: "silence" } : { kind: "answer", content: "x" }) },
      async (server, post) => {
        const giveUp = new AbortController();
        const waiting = post(true, giveUp.signal);
        while (server.calls.length === 0) await sleep(1);
        assert.equal(server.underWay, 1);
        giveUp.abort();
        await assert.rejects(waiting);
        while (server.calls[0].closedAtMs === undefined) await sleep(1);
        await (await post()).text();
        while (server.calls[1].endedAtMs === undefined) await sleep(1);
        assert.equal(server.calls[1].closedAtMs, undefined);
      },
    );
  });

  it("lets in what its quota allows and refuses the rest with 429", async () => {
    const quota = { perSecond: 1, burst: 3, retryAfter: true };
    await served({ ...always({ kind: "answer", content: "x" }), quota }, async (server, post) => {
      const statuses = await Promise.all(Array.from({ length: 10 }, async () => (await post()).status));
      assert.deepEqual([server.admitted, server.refused], [3, 7]);
      assert.equal(statuses.filter((status) => status === 429).length, 7);
    });
  });

  it("wants its key, and only chat requests", async () => {
    await served({ ...always({ kind: "answer", content: "x" }), key: "secret" }, async (server, post) => {
      assert.equal((await post()).status, 401);
      const elsewhere = await fetch(`${server.url}/models`, { method: "POST", body: "{}" });
      assert.equal(elsewhere.status, 400);
    });
  });
});
