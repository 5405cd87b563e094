// A worker for tests: node worker-program.ts <concurrency> <pool>. Says "ready" and works until it is ended.

import { Allowed, BlobCache, clusterPlace, WorkerLoop } from "../src/index.ts";

const [concurrency, pool] = process.argv.slice(2);
const { COPPICE_TEST_CACHE: cache = "" } = process.env;
const say = (line: string): void => void process.stdout.write(`${line}\n`);
const worker = new WorkerLoop({
  place: clusterPlace(),
  concurrency: Number(concurrency),
  pool,
  allowed: new Allowed([], true),
  cache: new BlobCache(cache, 100, say),
  bases: [import.meta.url],
  log: say,
});
process.once("SIGTERM", () => {
  process.once("SIGTERM", () => void worker.leave());
  void worker.drain();
});
// Whoever started it has ended, in whatever way.
process.stdin.on("end", () => process.exit(1)).resume();
say("ready");
