import { parentPort, workerData } from "node:worker_threads";
import { AwakeClock, awake } from "./awake-clock.ts";
import { CurrentTask } from "./current-task.ts";
import { ownProcess } from "./own-process.ts";
import type { ThreadStart } from "./starting.ts";
import { TaskRunner } from "./task-runner.ts";
import type { FromWorker, ToWorker } from "./worker-message.ts";

const port = parentPort;
if (port !== null) {
  const { job, current: buffer, awake: pauses } = workerData as ThreadStart;
  awake.clock = new AwakeClock(pauses);
  const current = new CurrentTask(buffer);
  current.begin();
  const post = (message: FromWorker) => port.postMessage(message);
  const runner = new TaskRunner(job, {
    post,
    markStart: (atMs) => current.start(atMs),
    // Not by closing the port: a timer or socket the evaluator forgot would keep the thread alive.
    ended: () => process.exit(0),
  });
  ownProcess(runner, post);
  port.on("message", (message: ToWorker) => runner.receive(message));
  await runner.begin();
}
