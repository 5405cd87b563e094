import { callRoll, checkPlace, clusterPlace, type Roll, shownAddress, withoutPassword } from "@coppice/cluster";
import { counted, formatCount, right, tableText } from "@coppice/engine/display";
import { print, printJson } from "../print.ts";
import type { PlaceFlags } from "./register.ts";

const columns = [
  "host",
  ...right("pid"),
  "tasks in",
  ...right("places", "taken"),
  "runs",
  ...right("tasks", "per second"),
  "",
];

/** Prints who works on a cluster. */
export async function listWorkers(flags: PlaceFlags & { readonly json?: boolean }): Promise<void> {
  if (flags.redis !== undefined) withoutPassword(flags.redis);
  const place = clusterPlace(flags);
  await checkPlace(place);
  const roll = await callRoll(place);
  if (flags.json === true) printJson(roll);
  else print(`${rollText(roll, shownAddress(place))}\n`);
}

function rollText({ workers, runs, seatsWaiting }: Roll, address: string): string {
  const waiting = `${formatCount(seatsWaiting)} ${seatsWaiting === 1 ? "place waits" : "places wait"} for workers`;
  const sum = `${counted(runs.length, "run")}, ${waiting}`;
  if (workers.length === 0) return `Nobody works at ${address}; ${sum}.`;
  const rows = workers.map(({ host, pid, pool, concurrency, runs, tasks, tasksPerSecond, draining }) => [
    host,
    String(pid),
    pool,
    String(concurrency),
    String(Object.values(runs).reduce((taken, seats) => taken + seats, 0)),
    Object.keys(runs).join(" "),
    formatCount(tasks),
    String(tasksPerSecond),
    draining ? "leaving" : "",
  ]);
  return `${tableText(columns, rows)}\n${sum}.`;
}
