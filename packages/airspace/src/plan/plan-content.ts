import type { Instance } from "../instance/instance.ts";
import { flowsOf, type Plan } from "../network/regulation.ts";
import type { Weights } from "../network/weights.ts";

/** A plan as `readPlanFile` reads it back. */
export function planFileContent(plan: Plan, instance: Instance, weights: Weights): object {
  return {
    instance: instance.name,
    weights,
    plan: plan.map(({ volume, fromBin, toBin, flows, ratePerHour }) => ({
      volume: instance.volumeIds[volume],
      window: [fromBin, toBin],
      // By name: numbers would mean different flights where flights are grouped differently.
      flows: flowsOf(flows).map((flow) => instance.flowNames[volume][flow] ?? flow),
      rate: ratePerHour,
    })),
  };
}
