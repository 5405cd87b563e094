import { counted, right, tableText } from "@coppice/engine/display";
import type { Instance } from "../instance/instance.ts";
import type { Plan } from "../network/regulation.ts";
import { scoreFromScratch } from "../network/score-from-scratch.ts";
import { pricesText, type Weights } from "../network/weights.ts";
import { figure } from "./score-answer.ts";

/** Last minute of each class of delays; no flight waits longer than the last. */
const CLASSES = [5, 15, 30, 60, 120, 240];
const MOST_DELAYED = 10;
const SECOND_MS = 1000;

/** A flight that waits. */
export interface DelayedFlight {
  readonly flight: string;
  readonly airline: string;
  readonly origin: string;
  readonly destination: string;
  readonly departureUtc: string;
  /** Time at the origin, where its zone is known. */
  readonly departureLocal: string;
  readonly minutes: number;
}

/** Every flight that a plan delays, most delayed first. */
export function delayedFlights(instance: Instance, delayMinutes: Int32Array): DelayedFlight[] {
  const start = Date.parse(instance.start);
  return [...delayMinutes]
    .flatMap((minutes, f): DelayedFlight[] => {
      if (minutes === 0) return [];
      const departure = start + instance.takeoffSecond[f] * SECOND_MS;
      const zone = instance.airportDetails[instance.flightOrigin[f]]?.zone;
      return [
        {
          flight: instance.flightIds[f],
          airline: instance.airlines[instance.flightAirline[f]] ?? "",
          origin: instance.airports[instance.flightOrigin[f]] ?? "",
          destination: instance.airports[instance.flightDestination[f]] ?? "",
          departureUtc: new Date(departure).toISOString().slice(0, 16).concat("Z"),
          departureLocal: zone === undefined ? "" : clockIn(zone, departure),
          minutes,
        },
      ];
    })
    .sort((a, b) => b.minutes - a.minutes || (a.flight < b.flight ? -1 : 1));
}

const clocks = new Map<string, Intl.DateTimeFormat>();

/** Date and time in a zone, as `2001-06-29 14:05`. */
function clockIn(zone: string, instant: number): string {
  const clock =
    clocks.get(zone) ??
    new Intl.DateTimeFormat("sv-SE", { timeZone: zone, dateStyle: "short", timeStyle: "short", hourCycle: "h23" });
  clocks.set(zone, clock);
  return clock.format(instant);
}

/** Who waits with a plan: how long, by airline and by origin, and how evenly. */
export function delaysJson(instance: Instance, plan: Plan, weights: Weights) {
  const { score, delayMinutes } = scoreFromScratch(instance, plan, weights);
  const flights = delayedFlights(instance, delayMinutes);
  const minutes = flights.map((flight) => flight.minutes);
  return {
    instance: instance.name,
    weights,
    objective: score.objective,
    flights: flights.length,
    minutes: score.delayMinutes,
    histogram: CLASSES.map((to, k) => {
      const from = k === 0 ? 1 : CLASSES[k - 1] + 1;
      return { from, to, flights: minutes.filter((each) => each >= from && each <= to).length };
    }),
    mostDelayed: flights.slice(0, MOST_DELAYED),
    byAirline: instance.airlines.length === 0 ? [] : summed(flights, ({ airline }) => airline || "unknown"),
    byOrigin: summed(flights, ({ origin }) => origin || "unknown"),
    fairness: { gini: gini(minutes), mostDelayedTenth: shareOfMostDelayed(minutes) },
  };
}

function summed(flights: readonly DelayedFlight[], by: (flight: DelayedFlight) => string) {
  const groups = Map.groupBy(flights, by);
  return [...groups]
    .map(([name, members]) => ({
      name,
      flights: members.length,
      minutes: members.reduce((sum, { minutes }) => sum + minutes, 0),
    }))
    .sort((a, b) => b.minutes - a.minutes || (a.name < b.name ? -1 : 1));
}

/** 0 if all delayed flights wait equally long, near 1 if one waits for all. */
function gini(descending: readonly number[]): number {
  const total = descending.reduce((sum, minutes) => sum + minutes, 0);
  if (total === 0) return 0;
  const count = descending.length;
  const weighted = descending.reduce((sum, minutes, at) => sum + (count - 2 * at - 1) * minutes, 0);
  return weighted / (count * total);
}

/** Share of all minutes that the most delayed tenth of the delayed flights has. */
function shareOfMostDelayed(descending: readonly number[]): number {
  const total = descending.reduce((sum, minutes) => sum + minutes, 0);
  const tenth = descending.slice(0, Math.ceil(descending.length / 10));
  return total === 0 ? 0 : tenth.reduce((sum, minutes) => sum + minutes, 0) / total;
}

/** The delays of a plan for people. */
export function delaysText(delays: ReturnType<typeof delaysJson>): string {
  const { histogram, mostDelayed, byAirline, byOrigin, fairness } = delays;
  const head = `${delays.instance}: J ${figure(delays.objective)} (prices: ${pricesText(delays.weights)}); ${counted(delays.flights, "flight")} wait${delays.flights === 1 ? "s" : ""} ${counted(delays.minutes, "minute")}`;
  if (delays.flights === 0) return `${head}\n`;
  const most = histogram.reduce((highest, { flights }) => Math.max(highest, flights), 1);
  const bars = histogram.map(({ from, to, flights }) => [
    `${from}-${to}`,
    String(flights),
    "█".repeat(Math.ceil((40 * flights) / most)),
  ]);
  const groups = (title: string, rows: ReturnType<typeof summed>): string[] =>
    rows.length === 0
      ? []
      : [
          "",
          tableText(
            [title, ...right("flights", "minutes")],
            rows.slice(0, MOST_DELAYED).map((row) => [row.name, String(row.flights), String(row.minutes)]),
          ),
        ];
  const flights = tableText(
    ["flight", "route", "departs, UTC", "local", ...right("minutes")],
    mostDelayed.map((each) => [
      each.flight,
      `${each.origin}-${each.destination}`,
      each.departureUtc.replace("T", " ").slice(0, 16),
      each.departureLocal.slice(-5),
      String(each.minutes),
    ]),
  );
  return [
    head,
    `how evenly: Gini ${figure(fairness.gini)}; the most delayed tenth has ${Math.round(100 * fairness.mostDelayedTenth)} % of the minutes`,
    "",
    tableText([...right("minutes", "flights"), ""], bars),
    "",
    flights,
    ...groups("airline", byAirline),
    ...groups("origin", byOrigin),
    "",
  ].join("\n");
}
