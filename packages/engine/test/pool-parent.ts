// A program that owns a pool, for the tests that kill it: node pool-parent.ts <module> <factory> <token> <directory> <mode>

import { encode } from "../src/values/encode.ts";
import { evaluatorUrl, type MakeFactory } from "./conformance/trial.ts";
import type { Probe } from "./evaluators/probe.ts";

const [module, factoryName, token, directory, mode] = process.argv.slice(2);
const { [factoryName]: makeFactory } = (await import(module)) as Record<string, MakeFactory>;
const probes: Readonly<Record<string, readonly Probe[]>> = {
  close: [{ do: "return", value: 1 }],
  busy: [{ do: "spin", file: "busy" }],
  "with programs": [
    { do: "spin", file: "busy", children: true },
    { do: "wait", file: "waiting" },
  ],
};
const nothing = (): void => {};

const pool = makeFactory({ workers: 2, chunk: 1 }).open(
  {
    evaluatorUrl: evaluatorUrl("probe"),
    context: encode({ directory }),
    seed: 1,
    setupTimeoutMs: 20_000,
    maxValueBytes: 1000,
    timers: false,
    runToken: token,
  },
  {
    started: nothing,
    settled: () => void pool.close(10_000),
    requeued: nothing,
    aborted: nothing,
    progress: nothing,
    log: nothing,
    worker: nothing,
    timers: nothing,
    broken: (error) => {
      throw error;
    },
  },
);
for (const [id, probe] of probes[mode].entries())
  pool.submit({ id, key: `${id}`, candidate: encode(probe), attempt: 0, timeoutMs: 0 });
