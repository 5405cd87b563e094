import type { Instance } from "../src/instance/instance.ts";
import type { Plan, Regulation } from "../src/network/regulation.ts";

type Roll = (sides: number) => number;

/** Any plan of 0 to 15 lines: windows of any length and place, any flows, rates from 1 to 60. */
export function randomPlan(instance: Instance, roll: Roll): Plan {
  const busy = Array.from({ length: 1 + roll(4) }, () => roll(instance.volumeIds.length));
  return Array.from({ length: roll(16) }, () => randomLine(instance, roll, busy[roll(busy.length)]));
}

/** A plan one edit away: another rate, window or set of flows, a line more or less, two lines swapped, or nothing. */
export function editPlan(instance: Instance, plan: Plan, roll: Roll): Plan {
  const next = [...plan];
  const at = roll(Math.max(1, plan.length));
  const line = plan[at];
  const shift = roll(9) - 4;
  const kind = line === undefined ? 0 : roll(9);
  if (kind === 0 || kind === 1)
    next.splice(roll(plan.length + 1), 0, randomLine(instance, roll, roll(instance.volumeIds.length)));
  else if (kind === 2) next.splice(at, 1);
  else if (kind === 3) next[at] = { ...line, ratePerHour: 1 + roll(60) };
  else if (kind === 4) next[at] = { ...line, flows: line.flows ^ (1 << roll(6)) };
  else if (kind === 5) next[at] = { ...line, toBin: between(line.fromBin + 1, line.toBin + shift, instance.binCount) };
  else if (kind === 7) next[at] = { ...line, fromBin: between(0, line.fromBin + shift, line.toBin - 1) };
  else if (kind === 6) {
    const other = roll(plan.length);
    next[at] = plan[other];
    next[other] = line;
  } else next[at] = { ...line };
  return next;
}

function between(least: number, value: number, most: number): number {
  return Math.min(Math.max(least, value), most);
}

function randomLine(instance: Instance, roll: Roll, volume: number): Regulation {
  // Half of the windows begin where crowded days have their traffic.
  const third = Math.floor(instance.binCount / 3);
  const fromBin = roll(2) === 0 ? third + roll(Math.max(1, Math.floor(third / 2))) : roll(instance.binCount);
  const toBin = fromBin + 1 + roll(Math.min(40, instance.binCount - fromBin));
  const flows = roll(3) === 0 ? 63 : roll(64);
  return { volume, fromBin, toBin, flows, ratePerHour: [1, 2, 7, 1 + roll(30), 1 + roll(60)][roll(5)] };
}
