import { cellToLatLng, getResolution, isValidCell, latLngToCell } from "h3-js";
import { distanceNm, type Place } from "../import/track.ts";
import type { Instance } from "./instance.ts";

const KM_PER_NM = 1.852;
/** A place this near to an airport is over it. */
const OVER_KM = 15;
const WINDS = ["N", "NE", "E", "SE", "S", "SW", "W", "NW"];
/** Places are described by one of the busiest airports, which people know, not by the nearest air strip. */
const LANDMARKS = 60;
/** Flows that are named one by one in a line of text. */
const NAMED_AT_ONCE = 3;

/** Names that people can say, beside the ids of a day's volumes and flows; the same for the same day. */
export interface DayNames {
  /** No two volumes have the same. */
  readonly volumes: readonly string[];
  /** Of a flow by its name in the instance, wherever it enters; no two flows have the same. */
  flow(name: string): string;
}

const known = new WeakMap<Instance, DayNames>();

export function namesOf(day: Instance): DayNames {
  const names = known.get(day) ?? nameDay(day);
  known.set(day, names);
  return names;
}

function nameDay(day: Instance): DayNames {
  const airports = knownAirports(day);
  const landmarks = airports.filter(({ place }) => place !== undefined).slice(0, LANDMARKS);
  const volumes = day.volumeIds.map((id, volume) => {
    const label = day.volumeDetails[volume].label;
    if (label !== undefined) return label;
    if (id.startsWith("ARR:")) return `landings at ${cityOf(airports, id.slice(4))}`;
    const place = placeOfVolume(day, volume);
    return (place && fromLandmark(place, landmarks)) ?? id;
  });
  const flowIds = [...new Set(day.flowNames.flat())];
  const airportsIn = airportsByCell(airports);
  const labels = allDifferent(
    flowIds.map((name) => flowLabel(name, airports, airportsIn)),
    flowIds,
  );
  const flows = new Map(flowIds.map((name, at) => [name, labels[at]]));
  return {
    volumes: allDifferent(volumes, day.volumeIds),
    flow: (name) => flows.get(name) ?? flowLabel(name, airports, airportsIn),
  };
}

/** Flows of a volume by name, as one says it: all of them, or the first few. */
export function flowsCalled(day: Instance, volume: number, flows: readonly number[], most = NAMED_AT_ONCE): string {
  const here = day.flowNames[volume];
  if (here.every((_, flow) => flows.includes(flow))) return "all flows";
  const names = flows.map((flow) => (here[flow] === undefined ? "nobody" : namesOf(day).flow(here[flow])));
  const more = names.length > most ? [`${names.length - most} more`] : [];
  return [...names.slice(0, most), ...more].join(", ");
}

interface KnownAirport {
  readonly code: string;
  readonly city: string;
  readonly place: Place | undefined;
}

/** Airports by how many flights they have, most first. */
function knownAirports(day: Instance): KnownAirport[] {
  const flights = new Int32Array(day.airports.length);
  for (const ends of [day.flightOrigin, day.flightDestination]) for (const at of ends) if (at >= 0) flights[at]++;
  return day.airports
    .map((code, at) => {
      const { latitude, longitude, city } = day.airportDetails[at];
      const place = latitude === undefined || longitude === undefined ? undefined : { latitude, longitude };
      return { code, city: city ?? code, place, flights: flights[at] };
    })
    .sort((a, b) => b.flights - a.flights || (a.code < b.code ? -1 : 1));
}

function cityOf(airports: readonly KnownAirport[], code: string): string {
  const city = airports.find((airport) => airport.code === code)?.city ?? code;
  return city === code ? code : `${city} (${code})`;
}

function placeOfVolume(day: Instance, volume: number): Place | undefined {
  const id = day.volumeIds[volume];
  const [latitude, longitude] = isValidCell(id)
    ? cellToLatLng(id)
    : [day.volumeLatitude[volume], day.volumeLongitude[volume]];
  return Number.isNaN(latitude) ? undefined : { latitude, longitude };
}

/** "120 km W of CLE", by the nearest landmark. */
function fromLandmark(place: Place, landmarks: readonly KnownAirport[]): string | undefined {
  let nearest: { readonly code: string; readonly place: Place; readonly km: number } | undefined;
  for (const { code, place: there } of landmarks) {
    if (there === undefined) continue;
    const km = distanceNm(there, place) * KM_PER_NM;
    if (nearest === undefined || km < nearest.km) nearest = { code, place: there, km };
  }
  if (nearest === undefined) return undefined;
  if (nearest.km < OVER_KM) return `over ${nearest.code}`;
  return `${Math.round(nearest.km / 10) * 10} km ${windFrom(nearest.place, place)} of ${nearest.code}`;
}

/** The wind in which `to` lies as seen from `from`. */
function windFrom(from: Place, to: Place): string {
  const radians = Math.PI / 180;
  const east = (to.longitude - from.longitude) * radians;
  const [fromLatitude, toLatitude] = [from.latitude * radians, to.latitude * radians];
  const y = Math.sin(east) * Math.cos(toLatitude);
  const x =
    Math.cos(fromLatitude) * Math.sin(toLatitude) - Math.sin(fromLatitude) * Math.cos(toLatitude) * Math.cos(east);
  return WINDS[Math.round(Math.atan2(y, x) / (Math.PI / 4) + WINDS.length) % WINDS.length];
}

type AirportsIn = (cell: string) => readonly KnownAirport[];

/** Airports are sorted into the cells of a resolution once: flows and airports are too many to try each with each. */
function airportsByCell(airports: readonly KnownAirport[]): AirportsIn {
  const sorted = new Map<number, Map<string | undefined, KnownAirport[]>>();
  return (cell) => {
    const resolution = getResolution(cell);
    const cells =
      sorted.get(resolution) ??
      Map.groupBy(airports, ({ place }) => place && latLngToCell(place.latitude, place.longitude, resolution));
    sorted.set(resolution, cells);
    return cells.get(cell) ?? [];
  };
}

/** "from New York area (38 airports)" for a cell of origins, "from Boston (BOS)" for one airport. */
function flowLabel(name: string, airports: readonly KnownAirport[], airportsIn: AirportsIn): string {
  if (name === "other") return "everyone else";
  if (!isValidCell(name)) return plainLabel(name, airports);
  const inside = airportsIn(name);
  if (inside.length === 0) return `from cell ${name}`;
  if (inside.length === 1) return `from ${cityOf(airports, inside[0].code)}`;
  return `from ${inside[0].city} area (${inside.length} airports)`;
}

/** A flow by one airport or a pair of them in words; any other is called what it is called. */
function plainLabel(name: string, airports: readonly KnownAirport[]): string {
  const isAirport = (code: string): boolean => airports.some((airport) => airport.code === code);
  if (name === "") return "from anywhere";
  if (isAirport(name)) return `from ${cityOf(airports, name)}`;
  if (name.startsWith("to ") && isAirport(name.slice(3))) return `to ${cityOf(airports, name.slice(3))}`;
  const [origin, destination] = name.split("-");
  if (destination === undefined || !isAirport(origin) || !isAirport(destination)) return name;
  return `from ${cityOf(airports, origin)} to ${cityOf(airports, destination)}`;
}

/** Names that several share get their id; also once more, if somebody is called that already. */
function allDifferent(names: readonly string[], ids: readonly string[]): string[] {
  const count = new Map<string, number>();
  for (const name of names) count.set(name, (count.get(name) ?? 0) + 1);
  if (count.size === names.length) return [...names];
  return allDifferent(
    names.map((name, at) => ((count.get(name) ?? 0) > 1 ? `${name} (${ids[at]})` : name)),
    ids,
  );
}
