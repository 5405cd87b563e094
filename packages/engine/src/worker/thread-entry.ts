import { parentPort, workerData } from "node:worker_threads";
import { captureOutput } from "./captured-output.ts";
import { CurrentTask } from "./current-task.ts";
import type { ThreadStart } from "./starting.ts";
import { TaskRunner } from "./task-runner.ts";
import type { ToWorker } from "./worker-message.ts";

const port = parentPort;
if (port !== null) {
  const { job, current: buffer } = workerData as ThreadStart;
  const current = new CurrentTask(buffer);
  const runner = new TaskRunner(job, {
    post: (message) => port.postMessage(message),
    markStart: (atMs) => current.start(atMs),
    // Not by closing the port: a timer or socket the evaluator forgot would keep the thread alive.
    ended: () => process.exit(0),
  });
  captureOutput((text) => runner.log(text));
  // However the thread ends short of being killed, what it has finished counts.
  process.on("exit", () => runner.flush());
  port.on("message", (message: ToWorker) => runner.receive(message));
  await runner.begin();
}
