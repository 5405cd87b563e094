import type { Plan } from "../network/regulation.ts";

/** Whether two lines are of the same volume, window and flows, which a plan must not have. */
export function hasDuplicate(plan: Plan): boolean {
  for (let a = 1; a < plan.length; a++) {
    const { volume, fromBin, toBin, flows } = plan[a];
    for (let b = 0; b < a; b++) {
      const other = plan[b];
      if (other.volume === volume && other.fromBin === fromBin && other.toBin === toBin && other.flows === flows) {
        return true;
      }
    }
  }
  return false;
}
