import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import type { Instance } from "../instance/instance.ts";
import { US_DAY, type UsScenario, usDayFolder } from "../instance/us-day.ts";
import { type DayRules, readDayRules } from "./day-rules.ts";
import { readAirports, readFlightTable } from "./flight-table.ts";
import type { InputText } from "./input-text.ts";
import { importScheduledDay } from "./scheduled-day.ts";

/** The day that ships with the project, made from its tables and rules. It takes a second; {@link usDay} reads what it made. */
export function usDayFromTables(scenario: UsScenario): Instance {
  const airports = readAirports(text("airports.csv"));
  const table = gunzipSync(readFileSync(new URL("flights.csv.gz", usDayFolder))).toString("utf8");
  const flights = readFlightTable({ source: `${US_DAY}/flights.csv`, text: table }, airports);
  return importScheduledDay({ name: `${US_DAY} ${scenario}`, flights, airports, rules: usDayRules(), scenario });
}

/** How the day's volumes, capacities and weather are made. */
export function usDayRules(): DayRules {
  return readDayRules(text("rules.json"));
}

function text(file: string): InputText {
  return { source: `${US_DAY}/${file}`, text: readFileSync(new URL(file, usDayFolder), "utf8") };
}
