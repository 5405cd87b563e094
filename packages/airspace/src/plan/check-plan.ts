import type { Instance } from "../instance/instance.ts";
import { flowsOf, type Plan } from "../network/regulation.ts";
import type { InspectedPlan } from "./plan-file.ts";

/** One rule a plan should keep, and where it does not. */
export interface PlanCheck {
  readonly name: string;
  readonly description: string;
  /** A line per violation. */
  readonly violations: readonly string[];
  /** How many cases were looked at. */
  readonly total: number;
}

/** Where a plan's lines stand in its file, and what there could not be read. */
type FileFindings = Pick<InspectedPlan, "numbers" | "problems">;

/** Searches that evaluated fewer plans than this found theirs by chance. */
const LEAST_EVALUATIONS = 5;

/** Checks a plan. `evaluations` is what its file says of the search, if it does. */
export function checkPlan(
  instance: Instance,
  plan: Plan,
  evaluations: number | undefined,
  { numbers, problems }: FileFindings = { numbers: plan.map((_, k) => k + 1), problems: [] },
): PlanCheck[] {
  const label = (k: number) => {
    const { volume, fromBin, toBin, flows } = plan[k];
    return `${instance.volumeIds[volume]} ${fromBin}-${toBin} flows ${flowsOf(flows).join(",")}`;
  };
  const first = new Map<string, number>();
  const repeated: string[] = [];
  const idle: string[] = [];
  plan.forEach(({ volume }, k) => {
    const earlier = first.get(label(k));
    if (earlier === undefined) first.set(label(k), k);
    else repeated.push(`regulation ${numbers[k]} repeats regulation ${numbers[earlier]}: ${label(k)}`);
    const unknown = flowsOf(plan[k].flows).filter((flow) => flow >= instance.flowNames[volume].length);
    if (plan[k].flows === 0 || unknown.length > 0 || !(plan[k].ratePerHour > 0)) {
      idle.push(`regulation ${numbers[k]} has no flows or no rate: ${label(k)}`);
    }
  });
  const few =
    evaluations !== undefined && evaluations < LEAST_EVALUATIONS
      ? [`${evaluations} evaluations; at least ${LEAST_EVALUATIONS} are expected`]
      : [];
  return [
    {
      name: "known_regulations",
      description: "volumes, windows and flows are those of the day, rates are above 0",
      violations: problems,
      total: new Set(numbers).size + problems.length,
    },
    {
      name: "no_duplicate_regulations",
      description: "no two regulations have the same volume, window and flows",
      violations: repeated,
      total: plan.length,
    },
    {
      name: "flows_and_rates",
      description: "every regulation has flows and a rate",
      violations: idle,
      total: plan.length,
    },
    {
      name: "unique_evals",
      description: "the search evaluated more than a handful of plans",
      violations: few,
      total: evaluations === undefined ? 0 : 1,
    },
  ];
}
