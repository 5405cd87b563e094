import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import type { ServerReport, ServerScript } from "./server-entry.ts";

/** A practice server in a process of its own, so that its work and memory are not measured with ours. */
export class ServerProcess {
  readonly url: string;
  readonly #child: ChildProcess;

  private constructor(child: ChildProcess, url: string) {
    this.#child = child;
    this.url = url;
  }

  static async start(script: ServerScript): Promise<ServerProcess> {
    const child = fork(new URL("./server-entry.ts", import.meta.url), [JSON.stringify(script)]);
    const [url] = (await once(child, "message")) as [string];
    return new ServerProcess(child, url);
  }

  async report(): Promise<ServerReport> {
    this.#child.send("report");
    const [report] = (await once(this.#child, "message")) as [ServerReport];
    return report;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#child.kill();
    await once(this.#child, "exit");
  }
}
