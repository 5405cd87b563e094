import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:http";
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

describe("a server that never stops", () => {
  const cases = [
    ["in JSON", 200, "application/json", '{"choices": [{"message": {"content": "'],
    ["in one line of a stream", 200, "text/event-stream", "data: "],
    ["when it refuses", 500, "application/json", '{"error": {"message": "'],
  ] as const;
  for (const [how, status, type, begin] of cases) {
    it(`is given up ${how}`, async () => {
      const server = await endless(status, type, begin);
      const provider = { baseUrl: server.url };
      const model: ChosenModel = { reference: "p/m", providerName: "p", provider, model: "m", price: undefined };
      const request = { model: "p/m", messages: [{ role: "user" as const, content: "why?" }] };
      const sent = new HttpTransport(provider, undefined).send({
        request,
        model,
        signal: AbortSignal.timeout(120_000),
        arrived: () => {},
      });
      await assert.rejects(sent, (error: Error) => {
        assert.match(error.name, /^(BadAnswer|ConnectionLost|HttpError)$/);
        return true;
      });
      server.close();
    });
  }
});
