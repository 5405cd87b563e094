import { parentPort } from "node:worker_threads";
import { doWork, type Work } from "./work.ts";

/** No pool at all: told once what to do and how often, it does so and says when it is done. */
parentPort?.on("message", ({ work, count }: { readonly work: Work; readonly count: number }) => {
  let sink = 0;
  for (let i = 0; i < count; i++) sink ^= doWork(work);
  parentPort?.postMessage(sink);
});
