import { z } from "zod";
import { type InputText, readJson } from "./input-text.ts";

const fraction = z.number().min(0).max(1);
const weatherShape = z.object({
  name: z.string(),
  /** Degrees: south, north, west, east. */
  box: z.tuple([z.number(), z.number(), z.number(), z.number()]),
  /** Hours UTC counted from midnight of the day's first date: 25 is 01:00 on the next. */
  fromHour: z.number(),
  toHour: z.number(),
  /** Share of the capacity that is lost. */
  cut: fraction,
  arrivalsOnly: z.boolean().default(false),
});

const rulesShape = z.strictObject({
  /** Minute 0, UTC; midnight of the date with most departures when absent. */
  start: z.iso.datetime().optional(),
  binMinutes: z.number().default(15),
  /** H3 resolution of the volumes. */
  cellResolution: z.int().min(0).max(5).default(2),
  /** Flows of a volume are formed by the origin's H3 cell of this resolution. */
  flowResolution: z.int().min(0).max(5).default(1),
  /** How many airports, by arrivals, get an arrival volume. */
  arrivalVolumes: z.int().min(0).default(40),
  /** Flight time where the table gives no arrival: climb and approach, then cruise. */
  track: z
    .object({ fixedMinutes: z.number().min(0), knots: z.number().positive() })
    .default({ fixedMinutes: 20, knots: 430 }),
  /** Capacity as a factor of the busiest rolling hour that starts in `peakBins` (both inclusive). */
  capacity: z
    .object({
      cellFactor: z.number().positive(),
      arrivalFactor: z.number().positive(),
      minimum: z.number().min(0),
      peakBins: z.tuple([z.int().min(0), z.int().min(0)]),
      minimumInWeather: z.number().min(0),
    })
    .default({ cellFactor: 1.1, arrivalFactor: 1, minimum: 12, peakBins: [8, 79], minimumInWeather: 6 }),
  weather: z.array(weatherShape).default([]),
  /** Names of the weather boxes that apply in each scenario. */
  scenarios: z.record(z.string(), z.array(z.string())).default({}),
});

/** How volumes, tracks, capacities and flows are made from a flight table. */
export type DayRules = z.infer<typeof rulesShape>;
export type WeatherBox = z.infer<typeof weatherShape>;

/** Reads a rules file; what it leaves out takes the defaults above. */
export function readDayRules(file: InputText): DayRules {
  return readJson(file.text, file.source, rulesShape);
}

/** The rules when no file is given. */
export const defaultDayRules: DayRules = rulesShape.parse({});
