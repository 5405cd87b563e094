import { describeFailure } from "./describe-failure.ts";
import type { TaskRunner } from "./task-runner.ts";
import type { FromWorker } from "./worker-message.ts";

/**
 * Ties a runner to the process or thread it has to itself: what is printed goes to its pool, and however this ends short
 * of being killed, what has been finished counts and the last words say why.
 */
export function ownProcess(runner: TaskRunner, post: (message: FromWorker) => void): void {
  captureOutput((text) => runner.log(text));
  process.on("exit", () => runner.flush());
  process.on("uncaughtExceptionMonitor", (error) => {
    const { type, message, stack = "" } = describeFailure(error);
    runner.flush();
    post(["dying", `uncaught ${type}: ${message}`, stack]);
  });
}

/** Sends what this worker prints to its pool, in order with its results; nothing reaches the user's terminal. */
function captureOutput(print: (text: string) => void): void {
  for (const stream of [process.stdout, process.stderr]) {
    stream.write = (chunk: unknown, encoding?: unknown, done?: unknown): boolean => {
      print(
        chunk instanceof Uint8Array
          ? Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength).toString("utf8")
          : String(chunk),
      );
      const callback = typeof encoding === "function" ? encoding : done;
      if (typeof callback === "function") process.nextTick(callback);
      return true;
    };
  }
}
