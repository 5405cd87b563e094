import { spawn } from "node:child_process";
import { appendFileSync, existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { threadId } from "node:worker_threads";
import { defineEvaluator, type Task } from "../../src/contract/evaluator.ts";
import { timed } from "../../src/timers/timed.ts";

/** What a pool's conformance suite asks of an evaluation. `file` names are relative to the context's directory. */
export type Probe =
  | { readonly do: "return"; readonly value: unknown }
  | { readonly do: "describe" }
  | { readonly do: "refuse"; readonly what: "function" | "cycle" | "class" | "large" }
  | { readonly do: "throw"; readonly what: Thrown }
  | { readonly do: "sleep"; readonly ms: number; readonly value?: unknown }
  | { readonly do: "burn"; readonly ms: number; readonly value?: unknown }
  | { readonly do: "hang" }
  /** Ends when it is aborted: throws, or gives a value all the same. */
  | { readonly do: "heed"; readonly value?: unknown }
  | { readonly do: "spin"; readonly file?: string; readonly children?: boolean }
  /** Like `spin` with children, but its thread is idle. */
  | { readonly do: "wait"; readonly file: string }
  | { readonly do: "die"; readonly how: Death; readonly once?: string }
  | { readonly do: "print"; readonly lines: number }
  | { readonly do: "report" }
  | { readonly do: "timed" }
  | { readonly do: "resources" }
  | { readonly do: "shared"; readonly write?: number };

type Thrown = "custom" | "caused" | "string" | "object" | "undefined" | "rejection" | "timeout";

export type Death = "exit" | "sigkill" | "memory" | "rejection" | "exception";

export interface ProbeContext {
  readonly directory: string;
}

class CustomError extends Error {
  override readonly name = "CustomError";
}

export default defineEvaluator({
  setup: (context: ProbeContext, shared, resources) => {
    appendFileSync(join(context.directory, "setups"), `${process.pid}/${threadId}\n`);
    return { ...context, shared, resources, evaluated: 0 };
  },

  // Not async: what is done at once must take the path that pools take for plain functions.
  evaluate: (state, probe: Probe, task): unknown => {
    state.evaluated++;
    switch (probe.do) {
      case "return":
        return probe.value;
      case "describe": {
        const { id, key, attempt, seed } = task;
        return { id, key, attempt, seed, evaluated: state.evaluated, pid: process.pid, threadId };
      }
      case "resources":
        return state.resources;
      case "refuse":
        return unwritable(probe.what);
      case "throw":
        return fail(probe.what);
      case "sleep":
        return sleep(probe.ms, probe.value);
      case "burn":
        burn(probe.ms);
        return probe.value;
      case "hang":
        return sleep(3_600_000, undefined, { ref: false });
      case "heed":
        return heed(task, probe.value);
      case "spin":
        return spin(state.directory, probe.file, probe.children ?? false);
      case "wait":
        startSleepers(state.directory, probe.file);
        appendFileSync(join(state.directory, probe.file), ".");
        return sleep(1_000_000);
      case "die":
        return die(state.directory, probe.how, probe.once);
      case "print":
        for (let i = 0; i < probe.lines; i++) console.log(`printed ${i}`);
        console.error("to stderr");
        task.log("logged");
        throw new Error("after printing");
      case "report":
        task.report({ done: 1, total: 4, label: "steps" });
        task.report({ done: 4, total: 4 });
        return "reported";
      case "timed":
        for (let i = 0; i < 5; i++) timed("probe.part", () => i);
        return "timed";
      case "shared": {
        const numbers = new Float64Array(state.shared.numbers);
        if (probe.write !== undefined) numbers[0] = probe.write;
        return [...numbers];
      }
    }
  },

  teardown: ({ directory }) => appendFileSync(join(directory, "teardowns"), `${process.pid}/${threadId}\n`),
});

function unwritable(what: "function" | "cycle" | "class" | "large"): unknown {
  switch (what) {
    case "function":
      return () => 1;
    case "cycle": {
      const cycle: { self?: unknown } = {};
      cycle.self = cycle;
      return cycle;
    }
    case "class":
      return new CustomError("as a value");
    case "large":
      return "x".repeat(100 * 1024 * 1024);
  }
}

function fail(what: Thrown): never | Promise<never> {
  switch (what) {
    case "custom":
      throw Object.assign(new CustomError("custom message"), { data: { step: "test", exitCode: 3 } });
    case "caused":
      throw new TypeError("outer", { cause: new CustomError("middle", { cause: "inner" }) });
    case "string":
      throw "only text";
    case "object":
      throw { code: 7 };
    case "undefined":
      throw undefined;
    case "timeout":
      throw Object.assign(new Error("the server was slow"), { name: "Timeout" });
    case "rejection":
      return Promise.reject(new RangeError("rejected"));
  }
}

function burn(ms: number): void {
  const end = performance.now() + ms;
  while (performance.now() < end);
}

function heed({ signal }: Task, value: unknown): Promise<unknown> {
  return new Promise((resolve, reject) => {
    signal.addEventListener("abort", () => (value === undefined ? reject(signal.reason) : resolve(value)));
  });
}

/** A busy loop that leaves a trace of being alive, below it (if wanted) one child in its group and one that left it. */
/** Starts two programs, one in a session of its own, and writes down which. */
function startSleepers(directory: string, file: string): void {
  const started = [false, true].map((detached) => spawn("sleep", ["1000"], { stdio: "ignore", detached }));
  writeFileSync(join(directory, `${file}.pids`), started.map(({ pid }) => pid).join(" "));
}

function spin(directory: string, file: string | undefined, children: boolean): never {
  if (children && file !== undefined) startSleepers(directory, file);
  else if (file !== undefined) writeFileSync(join(directory, `${file}.pids`), "");
  for (;;) {
    burn(5);
    if (file !== undefined) appendFileSync(join(directory, file), ".");
  }
}

function die(directory: string, how: Death, once: string | undefined): unknown {
  if (once !== undefined) {
    const trace = join(directory, once);
    if (existsSync(trace)) return "survived";
    writeFileSync(trace, "");
  }
  console.log(`dying by ${how}`);
  switch (how) {
    case "exit":
      process.exit(3);
      break;
    case "sigkill":
      process.kill(process.pid, "SIGKILL");
      burn(10_000);
      break;
    case "memory": {
      const hoard: number[][] = [];
      for (;;) hoard.push(new Array(10_000).fill(hoard.length));
    }
    case "rejection":
      void Promise.reject(new CustomError("nobody listens"));
      break;
    case "exception":
      setTimeout(() => {
        throw new CustomError("nobody catches");
      });
      break;
  }
  return sleep(60_000);
}
