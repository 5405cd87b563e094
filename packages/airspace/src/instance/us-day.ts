import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { type DayRules, readDayRules } from "../import/day-rules.ts";
import { readAirports, readFlightTable } from "../import/flight-table.ts";
import type { InputText } from "../import/input-text.ts";
import { importScheduledDay } from "../import/scheduled-day.ts";
import type { Instance } from "./instance.ts";

const folder = new URL("../../data/us-2001-06-29/", import.meta.url);

/** Name under which commands know the day that ships with the project. */
export const US_DAY = "us-2001-06-29";

type Scenario = "storm" | "clear";

/** Reading the day takes about a second: a process reads each scenario once. */
const read = new Map<Scenario, Instance>();

/** The day that ships with the project: 17,599 flights over the United States, with or without its assumed weather. */
export function usDay(scenario: Scenario = "storm"): Instance {
  const day = read.get(scenario) ?? readUsDay(scenario);
  read.set(scenario, day);
  return day;
}

function readUsDay(scenario: Scenario): Instance {
  const airports = readAirports(text("airports.csv"));
  const table = gunzipSync(readFileSync(new URL("flights.csv.gz", folder))).toString("utf8");
  const flights = readFlightTable({ source: `${US_DAY}/flights.csv`, text: table }, airports);
  return importScheduledDay({ name: `${US_DAY} ${scenario}`, flights, airports, rules: usDayRules(), scenario });
}

/** How the day's volumes, capacities and weather are made. */
export function usDayRules(): DayRules {
  return readDayRules(text("rules.json"));
}

function text(file: string): InputText {
  return { source: `${US_DAY}/${file}`, text: readFileSync(new URL(file, folder), "utf8") };
}
