import { UsageError } from "@coppice/engine/usage-error";
import { decodeInstance } from "../instance/artifact.ts";
import type { Instance } from "../instance/instance.ts";
import { usDay } from "../instance/us-day.ts";
import { withChosenFlows } from "./chosen-flows.ts";
import { readInput, readInputBytes } from "./input-text.ts";
import { importGolden } from "./published-artifacts.ts";

/** Which day a command is about. */
export interface DayChoice {
  /** An instance file, or a file of reference numbers (`.json`); by default the day that ships with the project. */
  readonly instance?: string | undefined;
  readonly scenario?: "storm" | "clear" | undefined;
  /** How flights are grouped: a rule, `discover`, or a file of lists; by default as the instance says, by areas of origin. */
  readonly flows?: string | undefined;
}

/** Opens the day that was chosen. */
export function openDay({ flows, ...choice }: DayChoice): Instance {
  const day = openInstance(choice);
  return flows === undefined ? day : withChosenFlows(day, flows);
}

function openInstance({ instance, scenario }: DayChoice): Instance {
  if (instance === undefined) return usDay(scenario ?? "storm");
  if (scenario !== undefined)
    throw new UsageError("--scenario: only the day that ships with the project has scenarios");
  if (instance.endsWith(".json")) return importGolden(readInput("--instance", instance));
  return decodeInstance(readInputBytes("--instance", instance), instance);
}
