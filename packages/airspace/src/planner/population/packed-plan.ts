import type { Plan, Regulation } from "../../network/regulation.ts";

/** A plan as flat numbers, five per line: what a segment is given and answers is written down hundreds of times. */
export type PackedPlan = readonly number[];

const FIELDS = 5;

export function packPlan(plan: Plan): PackedPlan {
  return plan.flatMap(({ volume, fromBin, toBin, flows, ratePerHour }) => [volume, fromBin, toBin, flows, ratePerHour]);
}

export function unpackPlan(packed: PackedPlan): Plan {
  return Array.from({ length: packed.length / FIELDS }, (_, line): Regulation => {
    const at = line * FIELDS;
    return {
      volume: packed[at],
      fromBin: packed[at + 1],
      toBin: packed[at + 2],
      flows: packed[at + 3],
      ratePerHour: packed[at + 4],
    };
  });
}
