import type { Command } from "commander";
import { wholeNumber } from "../options/arguments.ts";
import { addOptions, collected, type OptionRow } from "../options/option-table.ts";
import { addJsonOption, withExample, withExamples } from "../options/run-options.ts";

/** Where a cluster is, as typed. */
export interface PlaceFlags {
  readonly redis?: string;
  readonly prefix?: string;
  readonly queue?: string;
}

export interface WorkerFlags extends PlaceFlags {
  readonly concurrency?: number;
  readonly pool: string;
  readonly allow: readonly string[];
  readonly allowAny?: boolean;
  readonly cacheDir?: string;
  readonly cacheMb?: number;
}

/** Where the cluster is. A password belongs in the variable, which is not in the process list. */
const place: readonly OptionRow[] = [
  ["--redis <url>", "where the Redis is: redis://host:6379, or rediss:// for TLS (env: COPPICE_REDIS)"],
  ["--prefix <name>", "first part of every key there (coppice; env: COPPICE_REDIS_PREFIX)"],
  ["--queue <name>", "name of the queue (work; env: COPPICE_QUEUE)"],
];

/** Adds `coppice worker`. */
export function registerWorker(program: Command): void {
  const command = program
    .command("worker")
    .description("work for runs with --pool cluster, wherever they were started; SIGTERM: finish the task, then end");
  addOptions(command, [
    ["--concurrency <n>", "tasks at once (one per core)", { read: wholeNumber(1, 1024) }],
    ["--pool <kind>", "what runs a task", { choices: ["threads", "processes"], usual: "processes" }],
    [
      "--allow <name>",
      "evaluators it may run: a package, one of its files, or sha256:… of a bundle",
      { read: collected, usual: ["@coppice/*", "coppice"] },
    ],
    ["--allow-any", "run whatever code comes over Redis: whoever can write there can do anything here"],
    ["--cache-dir <directory>", "where code and data that came over Redis are kept"],
    ["--cache-mb <n>", "the most they may take (1024)", { read: wholeNumber(1, 1_048_576) }],
    ...place,
  ]);
  withExample(command, "coppice worker --redis redis://10.0.0.5:6379 --concurrency 4").action(async (flags) =>
    (await import("./worker.ts")).runWorker(flags),
  );
}

/** Adds `coppice workers`. */
export function registerWorkers(program: Command): void {
  const command = program
    .command("workers")
    .description("show who works on a cluster, where, on what and how fast, and how many places wait for workers");
  withExample(addJsonOption(addOptions(command, place)), "coppice workers --redis redis://10.0.0.5:6379").action(
    async (flags) => (await import("./workers.ts")).listWorkers(flags),
  );
}

/** Adds `coppice cluster`. */
export function registerCluster(program: Command): void {
  const cluster = program.command("cluster").description("a cluster of workers on many machines");
  addJsonOption(
    cluster
      .command("try")
      .description("see it work: a Redis and two workers on this machine, one killed halfway, and the same digest"),
  ).action(async (flags) => (await import("./try.ts")).tryCluster(flags));
  withExamples(cluster, { try: "coppice cluster try" });
}
