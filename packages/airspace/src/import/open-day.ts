import { UsageError } from "@coppice/engine/usage-error";
import { decodeInstance } from "../instance/artifact.ts";
import type { Instance } from "../instance/instance.ts";
import { usDay } from "../instance/us-day.ts";
import { readInput, readInputBytes } from "./input-text.ts";
import { importGolden } from "./published-artifacts.ts";

/** Which day a command is about. */
export interface DayChoice {
  /** An instance file, or a file of reference numbers (`.json`); by default the day that ships with the project. */
  readonly instance?: string | undefined;
  readonly scenario?: "storm" | "clear" | undefined;
}

/** Opens the day that was chosen. */
export function openDay({ instance, scenario }: DayChoice): Instance {
  if (instance === undefined) return usDay(scenario ?? "storm");
  if (scenario !== undefined)
    throw new UsageError("--scenario: only the day that ships with the project has scenarios");
  if (instance.endsWith(".json")) return importGolden(readInput("--instance", instance));
  return decodeInstance(readInputBytes("--instance", instance), instance);
}
