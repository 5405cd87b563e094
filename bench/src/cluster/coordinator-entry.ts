// A coordinator whose memory and processor time are weighed: node coordinator-entry.ts <orders as JSON>. Prints a Weighed.

import { cluster } from "@coppice/cluster";
import { start } from "@coppice/engine";
import { CountUp } from "../journal/count-up.ts";
import { heldBytes } from "../memory/held-bytes.ts";
import type { CoordinatorOrders, Weighed } from "./load.ts";

const { tasks, ms, chunk, seats, directory } = JSON.parse(process.argv[2] ?? "") as CoordinatorOrders;

/** Weighs itself where a tenth and where all have been told: what a run needs anyhow is there by then. */
class Weighing extends CountUp {
  readonly held: number[] = [];
  readonly cpu: NodeJS.CpuUsage[] = [];
  readonly at: number[] = [];
  #told = 0;

  override tell(): void {
    super.tell();
    this.#told++;
    if (this.#told !== tasks / 10 && this.#told !== tasks) return;
    // What weighing costs counts neither before nor after.
    if (this.#told === tasks) this.#clock();
    this.held.push(heldBytes());
    if (this.#told < tasks) this.#clock();
  }

  #clock(): void {
    this.cpu.push(process.cpuUsage());
    this.at.push(performance.now());
  }
}

const search = new Weighing(tasks);
const run = await start({
  search,
  evaluator: new URL("./sleeper.ts", import.meta.url),
  context: { ms },
  // Enough unanswered questions for every seat to have two chunks.
  lookahead: Math.max(4096, seats * 16),
  pool: cluster({ workers: seats, chunk }),
  journal: { directory },
});
await run.finished;
const counted = tasks - tasks / 10;
const [from, to] = search.cpu;
const weighed: Weighed = {
  tasksPerSecond: (counted * 1000) / (search.at[1] - search.at[0]),
  cpuMicros: (to.user + to.system - from.user - from.system) / counted,
  heldBytesPerTask: (search.held[1] - search.held[0]) / counted,
  heldMb: search.held[1] / 2 ** 20,
  peakRssMb: process.resourceUsage().maxRSS / 1024,
};
process.stdout.write(JSON.stringify(weighed));
