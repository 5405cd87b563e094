// A worker of the pool in elsewhere.ts: node elsewhere-worker.ts <port>

import { connect } from "node:net";
import { processStart } from "../src/child-process.ts";
import type { EvaluatorName } from "../src/index.ts";
import {
  captureOutput,
  describeFailure,
  FrameReader,
  findEvaluator,
  frame,
  TaskRunner,
  type ToWorker,
  type WorkerJob,
} from "../src/worker.ts";
import type { Saying } from "./elsewhere.ts";

interface Start {
  readonly job: Omit<WorkerJob, "shared" | "evaluatorUrl"> & {
    readonly evaluatorUrl?: string;
    readonly evaluatorName?: EvaluatorName;
  };
  readonly shared: Readonly<Record<string, Uint8Array>>;
}

let runner: TaskRunner | undefined;
const socket = connect(Number(process.argv[2]), "127.0.0.1");
const say = (saying: Saying): void => void socket.write(frame(saying));

function begin({ job, shared }: Start): void {
  const arrays = Object.entries(shared).map(([name, bytes]) => {
    const buffer = new SharedArrayBuffer(bytes.byteLength);
    new Uint8Array(buffer).set(bytes);
    return [name, buffer] as const;
  });
  const { evaluatorName, evaluatorUrl = "", ...rest } = job;
  const url = evaluatorName === undefined ? evaluatorUrl : findEvaluator(evaluatorName, import.meta.url);
  const started = new TaskRunner(
    { ...rest, evaluatorUrl: url, shared: Object.fromEntries(arrays) },
    { post: say, markStart: () => say("begins"), ended: () => socket.end(() => process.exit(0)) },
  );
  captureOutput((text) => started.log(text));
  process.on("exit", () => started.flush());
  process.on("uncaughtExceptionMonitor", (error) => {
    const { type, message, stack = "" } = describeFailure(error);
    started.flush();
    say(["dying", `uncaught ${type}: ${message}`, stack]);
  });
  runner = started;
  void started.begin();
}

// Casts: frames come from the pool, the first one is the start.
const reader = new FrameReader((message) => {
  if (runner === undefined) begin(message as Start);
  else runner.receive(message as ToWorker);
});
socket.on("data", (piece) => reader.push(piece));
socket.on("close", () => process.exit(1));
say({ hello: { pid: process.pid, pidStart: processStart(process.pid) ?? "" } });
