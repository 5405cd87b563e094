import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, it } from "node:test";
import type { ChosenModel } from "../choose-model.ts";
import { HttpTransport } from "./http.ts";

/** A server that answers every request and never stops. */
async function endless(status: number, type: string, begin: string) {
  const server = createServer((_, response) => {
    response.writeHead(status, { "content-type": type });
    response.write(begin);
    const piece = "x".repeat(256 * 1024);
    const more = (): void => {
      while (!response.destroyed && response.write(piece));
      if (!response.destroyed) response.once("drain", more);
    };
    more();
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** A question to the server, with a key. */
function asked(baseUrl: string) {
  const provider = { baseUrl };
  const model: ChosenModel = { reference: "p/m", providerName: "p", provider, model: "m", price: undefined };
  const request = { model: "p/m", messages: [{ role: "user" as const, content: "why?" }] };
  const signal = AbortSignal.timeout(120_000);
  return new HttpTransport(provider, "secret").send({ request, model, signal, arrived: () => {} });
}

async function listening(answer: RequestListener) {
  const server = createServer(answer).listen(0, "127.0.0.1");
  await once(server, "listening");
  return { server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1` };
}

it("a redirect is not followed: nobody else is given the prompt or the key", async () => {
  let reached = 0;
  const elsewhere = await listening((_, response) => {
    reached++;
    response.end();
  });
  const here = await listening((_, response) => response.writeHead(307, { location: elsewhere.url }).end());
  await assert.rejects(asked(here.url), {
    name: "HttpError",
    message: `307 it redirects to ${elsewhere.url}, which is not followed: is its baseUrl right?`,
  });
  assert.equal(reached, 0);
  for (const { server } of [here, elsewhere]) server.close();
});

it("an answer in parts is put together", async () => {
  const content = [
    { type: "thinking", thinking: [] },
    { type: "text", text: "in " },
    { type: "text", text: "parts" },
  ];
  const { server, url } = await listening((_, response) => {
    response.setHeader("content-type", "application/json");
    response.end(JSON.stringify({ choices: [{ message: { content }, finish_reason: "stop" }] }));
  });
  assert.equal((await asked(url)).content, "in parts");
  server.close();
});

describe("a server that never stops", () => {
  const cases = [
    ["in JSON", 200, "application/json", '{"choices": [{"message": {"content": "'],
    ["in one line of a stream", 200, "text/event-stream", "data: "],
    ["when it refuses", 500, "application/json", '{"error": {"message": "'],
  ] as const;
  for (const [how, status, type, begin] of cases) {
    it(`is given up ${how}`, async () => {
      const server = await endless(status, type, begin);
      await assert.rejects(asked(server.url), (error: Error) => {
        assert.match(error.name, /^(BadAnswer|ConnectionLost|HttpError)$/);
        return true;
      });
      server.close();
    });
  }
});
