import { Worker } from "node:worker_threads";
import { afterLooking } from "@coppice/engine/child-process";
import { fileVersion } from "../file-version.ts";
import type { ModuleCall, ModuleReply, ModuleResult } from "./protocol.ts";

/** A call on its way to the thread that holds the module. */
export interface CallMessage {
  readonly id: number;
  readonly call: ModuleCall;
}

/** And what comes back. */
export interface ReplyMessage {
  readonly id: number;
  readonly reply: ModuleReply;
}

interface WarmModule {
  readonly worker: Worker;
  /** Of the file when it was loaded; another version gets another thread. */
  readonly version: string;
  readonly waiting: Map<number, (result: ModuleResult) => void>;
}

/** Keeps module hooks loaded, one thread per module, and replaces a thread that hung, ended or is out of date. */
export class ModuleHost {
  readonly #warm = new Map<string, WarmModule>();
  #nextId = 0;

  /** How many modules are loaded. */
  get size(): number {
    return this.#warm.size;
  }

  /** Calls the module's default export; never rejects. */
  call(path: string, call: ModuleCall, timeoutMs: number, signal: AbortSignal): Promise<ModuleResult> {
    const warm = this.#load(path);
    const id = this.#nextId++;
    return new Promise((resolve) => {
      const finish = (result: ModuleResult): void => {
        callOff();
        signal.removeEventListener("abort", onAbort);
        warm.waiting.delete(id);
        if (warm.waiting.size === 0) {
          warm.worker.unref();
          // Of a version that was replaced: this was its last call.
          if (this.#warm.get(path) !== warm) void warm.worker.terminate();
        }
        resolve(result);
      };
      const callOff = afterLooking(timeoutMs, () => {
        finish({ kind: "timeout" });
        void this.#end(path, warm, "another call of this module hung");
      });
      const onAbort = (): void => finish({ kind: "ended", reason: String(signal.reason) });
      signal.addEventListener("abort", onAbort, { once: true });
      warm.waiting.set(id, finish);
      warm.worker.ref();
      warm.worker.postMessage({ id, call } satisfies CallMessage);
    });
  }

  async close(): Promise<void> {
    await Promise.all([...this.#warm].map(([path, warm]) => this.#end(path, warm, "the host was closed")));
  }

  #load(path: string): WarmModule {
    const version = fileVersion(path);
    const known = this.#warm.get(path);
    if (known?.version === version) return known;
    // Calls of the old version may still end.
    if (known?.waiting.size === 0) void known.worker.terminate();

    // What the module prints is dropped: its answer is what it returns.
    const options = { workerData: path, execArgv: [], stdout: true, stderr: true };
    const worker = new Worker(new URL("./module-entry.ts", import.meta.url), options);
    const warm: WarmModule = { worker, version, waiting: new Map() };
    worker.unref();
    worker.on("message", ({ id, reply }: ReplyMessage) => warm.waiting.get(id)?.({ kind: "replied", reply }));
    worker.on("error", (error) => this.#fail(path, warm, error instanceof Error ? error.message : String(error)));
    worker.on("exit", (code) => this.#fail(path, warm, `the module ended its thread with code ${code}`));
    this.#warm.set(path, warm);
    return warm;
  }

  #fail(path: string, warm: WarmModule, message: string): void {
    if (this.#warm.get(path) === warm) this.#warm.delete(path);
    for (const finish of [...warm.waiting.values()]) {
      finish({ kind: "replied", reply: { code: 1, stdout: "", stderr: message } });
    }
  }

  async #end(path: string, warm: WarmModule, reason: string): Promise<void> {
    this.#fail(path, warm, reason);
    await warm.worker.terminate();
  }
}
