import { z } from "zod";
import { type InputText, oneLine, readJson } from "./input-text.ts";

const fraction = z.number().min(0).max(1);
const latitude = z.number().min(-90).max(90);
const longitude = z.number().min(-180).max(180);
const weatherShape = z
  .strictObject({
    name: oneLine,
    /** Degrees: south, north, west, east. */
    box: z
      .tuple([latitude, latitude, longitude, longitude])
      .refine(([south, north]) => south < north, "the second degree, north, must be above the first, south")
      .refine(
        ([, , west, east]) => west < east,
        "the fourth degree, east, must be above the third, west; split a box across the date line in two",
      ),
    /** Hours UTC counted from midnight of the day's first date: 25 is 01:00 on the next. */
    fromHour: z.number(),
    toHour: z.number(),
    /** Share of the capacity that is lost. */
    cut: fraction,
    arrivalsOnly: z.boolean().default(false),
  })
  .refine(({ fromHour, toHour }) => fromHour < toHour, {
    path: ["toHour"],
    message: "it must be after fromHour; hours past midnight are counted on: 25 is 01:00",
  });

const rulesFields = z.strictObject({
  /** Minute 0, UTC; midnight of the date with most departures when absent. */
  start: z.iso.datetime().optional(),
  binMinutes: z
    .number()
    .refine(
      (minutes) => minutes >= 1 && Number.isInteger(minutes) && 60 % minutes === 0,
      "60 must be divisible by it (1, 2, 3, 4, 5, 6, 10, 12, 15, 20, 30 or 60)",
    )
    .default(15),
  /** H3 resolution of the volumes. */
  cellResolution: z.int().min(0).max(5).default(2),
  /** Flows of a volume are formed by the origin's H3 cell of this resolution. */
  flowResolution: z.int().min(0).max(5).default(1),
  /** How many airports, by arrivals, get an arrival volume; by default 40, and none where the volumes are sectors. */
  arrivalVolumes: z.int().min(0).optional(),
  /** Flight time where the table gives no arrival: climb and approach, then cruise. */
  track: z
    .strictObject({
      fixedMinutes: z.number().min(0).default(20),
      knots: z.number().positive().default(430),
      /** Height of flights whose points do not say, for sectors with a floor or a ceiling. */
      cruiseFeet: z.number().default(35_000),
    })
    .prefault({}),
  /** Capacity as a factor of the busiest rolling hour that starts in `peakBins` (both inclusive). */
  capacity: z
    .strictObject({
      cellFactor: z.number().positive().default(1.1),
      arrivalFactor: z.number().positive().default(1),
      minimum: z.number().min(0).default(12),
      peakBins: z
        .tuple([z.int().min(0), z.int().min(0)])
        .refine(([first, last]) => first <= last, "the second bin must not be before the first")
        .default([8, 79]),
      minimumInWeather: z.number().min(0).default(6),
    })
    .prefault({}),
  weather: z.array(weatherShape).default([]),
  /** Names of the weather boxes that apply in each scenario. */
  scenarios: z.record(z.string(), z.array(z.string())).default({}),
});

const rulesShape = rulesFields.superRefine(({ weather, scenarios }, context) => {
  const known = weather.map(({ name }) => name);
  known.forEach((name, at) => {
    if (known.indexOf(name) === at) return;
    const message = `${JSON.stringify(name)} again; names of weather must differ`;
    context.addIssue({ code: "custom", path: ["weather", at, "name"], message });
  });
  for (const [scenario, names] of Object.entries(scenarios)) {
    const unknown = names.find((name) => !known.includes(name));
    if (unknown === undefined) continue;
    const message = `no weather is called ${JSON.stringify(unknown)}; there is ${known.join(", ") || "none"}`;
    context.addIssue({ code: "custom", path: ["scenarios", scenario], message });
  }
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
