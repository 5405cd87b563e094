// A worker of the pool in elsewhere.ts: node elsewhere-worker.ts <port>

import { connect } from "node:net";
import { processStart } from "../src/child-process/index.ts";
import { arrivedJob, FrameReader, findEvaluator, frame, ownProcess, TaskRunner, type ToWorker } from "../src/worker.ts";
import type { Saying, Start } from "./elsewhere.ts";

let runner: TaskRunner | undefined;
const socket = connect(Number(process.argv[2]), "127.0.0.1");
const say = (saying: Saying): void => void socket.write(frame(saying));

function begin({ evaluatorName, ...start }: Start): void {
  const job = arrivedJob(start);
  const evaluatorUrl = evaluatorName === undefined ? job.evaluatorUrl : findEvaluator(evaluatorName, import.meta.url);
  runner = new TaskRunner(
    { ...job, evaluatorUrl },
    { post: say, markStart: () => say("begins"), ended: () => socket.end(() => process.exit(0)) },
  );
  ownProcess(runner, say);
  void runner.begin();
}

// Casts: frames come from the pool, the first one is the start.
const reader = new FrameReader((message) => {
  if (runner === undefined) begin(message as Start);
  else runner.receive(message as ToWorker);
});
socket.on("data", (piece) => reader.push(piece));
socket.on("close", () => process.exit(1));
say({ hello: { pid: process.pid, pidStart: processStart(process.pid) ?? "" } });
