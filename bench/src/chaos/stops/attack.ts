import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { type Attack, TollCount } from "../attack.ts";
import { journaledKeys, ledgerKeys, leftRunning, startSession, undisturbed, usualOrders } from "../subject/subject.ts";

const TASKS = 200;
/** Far more than a task takes, and less than a stop: time that nobody was awake must not count. */
const TIMEOUT_MS = 1500;
const pools = ["threads", "processes", "inline"] as const;

export const stops: Attack = {
  name: "stops and continues",
  summary: "the coordinator is stopped for longer than a task may take, and goes on (SIGSTOP, SIGCONT)",
  share: 5,
  strike: async ({ faults, draw, place }) => {
    const count = new TollCount();
    const base = { ...usualOrders(join(place, "calm"), TASKS), timeoutMs: TIMEOUT_MS };
    const from = performance.now();
    const calm = await undisturbed({ ...base, pool: "inline" });
    const calmMs = performance.now() - from;
    for (let turn = 0; count.tries < faults && turn < 2 * faults + 5; turn++) {
      const own = draw.at(`run/${turn}`);
      const directory = join(place, `run-${turn}`);
      const orders = { ...base, directory, ledger: `${directory}.ledger`, pool: pools[turn % pools.length] };
      const { child, ended } = startSession(orders);
      await wait((0.2 + 0.7 * own.at("moment").uniform()) * calmMs);
      const stopped = child.exitCode === null && child.kill("SIGSTOP");
      await wait(stopped ? TIMEOUT_MS * (1.1 + own.at("length").uniform()) : 0);
      child.kill("SIGCONT");
      const end = await ended;
      const where = `run ${turn}, ${orders.pool}`;
      if (end.how === "done") count.harm({ wrong: Number(end.digest !== calm) }, where);
      else count.harm({ lost: 1 }, `${where}: ${JSON.stringify(end)}`);
      const begun = ledgerKeys(orders.ledger);
      count.harm({ repeated: begun.length - new Set(begun).size, lost: missing(begun, directory) }, where);
      count.harm({ left: await leftRunning(directory) }, where);
      if (stopped) count.struck();
    }
    return count.toll();
  },
};

function missing(begun: readonly string[], directory: string): number {
  return new Set(begun).difference(journaledKeys(directory)).size;
}
