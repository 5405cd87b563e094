import { demoAnswer } from "../../practice-server/demo-answer.ts";
import { PracticeServer } from "../../practice-server/practice-server.ts";
import { HttpTransport } from "./http.ts";
import type { Attempt, Transport } from "./transport.ts";

/** Made-up answers over real HTTP: a practice server on this machine, started with the first request. */
export class DemoTransport implements Transport {
  readonly #server: PracticeServer;
  readonly #http: HttpTransport;

  private constructor(server: PracticeServer) {
    this.#server = server;
    this.#http = new HttpTransport({ baseUrl: server.url }, undefined);
  }

  static async start(): Promise<DemoTransport> {
    const server = await PracticeServer.start({ respond: demoAnswer, remember: false });
    server.unref();
    return new DemoTransport(server);
  }

  send(attempt: Attempt) {
    return this.#http.send(attempt);
  }

  async close(): Promise<void> {
    await this.#server.close();
  }
}
