import type { Plan } from "./regulation.ts";

/** Equal plans, and only those, have equal keys. */
export function planKey(plan: Plan): string {
  let key = "";
  for (const { volume, fromBin, toBin, flows, ratePerHour } of plan) {
    key += `${volume} ${fromBin} ${toBin} ${flows} ${ratePerHour},`;
  }
  return key;
}
