import { readFileSync } from "node:fs";
import { brotliDecompressSync } from "node:zlib";
import { decodeInstance } from "./artifact.ts";
import type { Instance } from "./instance.ts";

/** Name under which commands know the day that ships with the project. */
export const US_DAY = "us-2001-06-29";

/** Its tables and rules, the instance made of them, and the capacities that the storm leaves. */
export const usDayFolder = new URL(`../../data/${US_DAY}/`, import.meta.url);

export type UsScenario = "storm" | "clear";

/** A process reads each scenario once. */
const read = new Map<UsScenario, Instance>();

/** The day that ships with the project: 17,599 flights over the United States, with or without its assumed weather. */
export function usDay(scenario: UsScenario = "storm"): Instance {
  const day = read.get(scenario) ?? readUsDay(scenario);
  read.set(scenario, day);
  return day;
}

function readUsDay(scenario: UsScenario): Instance {
  const unpacked = (file: string): Buffer => brotliDecompressSync(readFileSync(new URL(file, usDayFolder)));
  if (scenario === "clear") return decodeInstance(unpacked("clear.instance.br"), `${US_DAY}/clear.instance.br`);
  const capacity = unpacked("storm.capacity.br");
  // A copy, because numbers begin at multiples of eight bytes.
  return { ...usDay("clear"), name: `${US_DAY} storm`, capacity: new Float64Array(Uint8Array.from(capacity).buffer) };
}
