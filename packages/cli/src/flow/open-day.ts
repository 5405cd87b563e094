import { readFileSync } from "node:fs";
import { decodeInstance, type Instance, importGolden, usDay } from "@coppice/airspace";
import { UsageError } from "@coppice/engine/usage-error";

/** Which day a command is about. */
export interface DayFlags {
  /** An instance file, or a file of reference numbers (`.json`); by default the day that ships with the project. */
  readonly instance?: string;
  readonly scenario?: "storm" | "clear";
}

/** Opens the day that the options name. */
export function openDay({ instance, scenario }: DayFlags): Instance {
  if (instance === undefined) return usDay(scenario ?? "storm");
  if (scenario !== undefined)
    throw new UsageError("--scenario: only the day that ships with the project has scenarios");
  let bytes: Buffer;
  try {
    bytes = readFileSync(instance);
  } catch (error) {
    throw new UsageError(`--instance ${instance}: cannot be read (${error instanceof Error ? error.message : error})`);
  }
  if (instance.endsWith(".json")) return importGolden({ source: instance, text: bytes.toString("utf8") });
  return decodeInstance(bytes, instance);
}
