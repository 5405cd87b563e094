import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { readCapacityTable } from "./capacity-file.ts";
import { defaultDayRules, readDayRules } from "./day-rules.ts";
import { readAirports, readFlightTable } from "./flight-table.ts";
import { importScheduledDay, type ScheduledDay } from "./scheduled-day.ts";
import { along, distanceNm } from "./track.ts";

const AIRPORTS = "airport,latitude,longitude\nBOS,42.3643,-71.0052\nDCA,38.8521,-77.0377\n";
const HEADER = "flight,origin,destination,departure,arrival\n";
const airports = (text = AIRPORTS) => readAirports({ source: "airports.csv", text });
const flights = (...rows: string[]) =>
  readFlightTable({ source: "flights.csv", text: HEADER + rows.join("\n") }, airports());
const day = (over: Partial<ScheduledDay> = {}) =>
  importScheduledDay({
    name: "day",
    flights: flights("A1,BOS,DCA,2024-05-01T08:00Z,", "A2,BOS,DCA,2024-05-01T09:00Z,2024-05-01T11:00Z"),
    airports: airports(),
    rules: defaultDayRules,
    ...over,
  });

const weather = (over: object, scenario = ["storm"]) => {
  const storm = { name: "storm", box: [38, 39, -78, -77], fromHour: 10, toHour: 11, cut: 0.5, ...over };
  return readDayRules({
    source: "rules.json",
    text: JSON.stringify({ weather: [storm], scenarios: { bad: scenario } }),
  });
};

describe("importing a flight table", () => {
  it("follows the great circle through cells to an arrival volume", () => {
    const instance = day();
    assert.equal(instance.start, "2024-05-01T00:00:00Z");
    assert.equal(instance.volumeIds.at(-1), "ARR:DCA");
    const landing = instance.visitOffset[1] - 1;
    const expected = Math.round(
      20 +
        (distanceNm({ latitude: 42.3643, longitude: -71.0052 }, { latitude: 38.8521, longitude: -77.0377 }) / 430) * 60,
    );
    assert.equal(instance.entrySecond[landing], expected * 60);
    assert.equal(instance.visitVolume[instance.visitOffset[0]], 0);
  });

  it("takes the table's own arrival time where there is one", () => {
    const instance = day();
    assert.equal(instance.entrySecond[instance.visitOffset[2] - 1], 120 * 60);
  });

  it("gives volumes and hours missing from a capacity file no limit, by the hour of the clock", () => {
    const hours = new Map([["ARR:DCA", new Map([["11:00-12:00", 4]])]]);
    const rules = { ...defaultDayRules, start: "2024-05-01T06:00:00Z" };
    const { capacity, volumeIds } = day({ rules, capacity: { source: "capacity.csv", hours } });
    const row = capacity.subarray((volumeIds.length - 1) * 96);
    assert.deepEqual([...row.subarray(19, 25)], [Infinity, 4, 4, 4, 4, Infinity]);
    assert.equal(capacity[0], Number.POSITIVE_INFINITY);
  });

  it("cuts capacity only inside the box and hours of the weather", () => {
    const box = {
      name: "storm",
      box: [38, 39, -78, -77] as [number, number, number, number],
      fromHour: 10,
      toHour: 11,
      cut: 0.5,
      arrivalsOnly: true,
    };
    const { capacity, volumeIds } = day({ rules: { ...defaultDayRules, weather: [box] } });
    const row = capacity.subarray((volumeIds.length - 1) * 96);
    assert.deepEqual([...row.subarray(38, 46)], [12, 12, 6, 6, 6, 6, 12, 12]);
    assert.ok(capacity.subarray(0, (volumeIds.length - 1) * 96).every((flights) => flights === 12));
  });

  it("names what is wrong and the line it is in", () => {
    const capacity = { source: "capacity.csv", hours: new Map([["ZZZ", new Map([["1:00-2:00", 4]])]]) };
    const wrong: readonly (readonly [() => unknown, RegExp])[] = [
      [
        () => flights("A1,BOS,DCA,2024-05-01T08:00Z,", "A2,BOS"),
        /^UsageError: flights\.csv line 3: 2 fields where the header has 5$/,
      ],
      [() => flights(`"A1,BOS,DCA`), /flights\.csv line 2: a quoted field is not closed/],
      [() => flights("A1,BOS,XXX,2024-05-01T08:00Z,"), /flights\.csv line 2: unknown airport "XXX"/],
      [
        () => flights("A1,BOS,DCA,2024-05-01T08:00Z,2024-05-01T07:00Z"),
        /flights\.csv line 2: flight A1 arrives at .* not after it departs/,
      ],
      [() => flights("A1,BOS,DCA,NaN,"), /flights\.csv line 2: departure "NaN" is not a time like/],
      [
        () => flights("A1,BOS,DCA,2024-13-01T08:00Z,"),
        /flights\.csv line 2: departure "2024-13-01T08:00Z" is not a time like/,
      ],
      [
        () => flights("A1,BOS,DCA,2024-05-01T08:00Z,", "", "A1,BOS,DCA,2024-05-01T09:00Z,"),
        /flights\.csv line 4: flight A1 is in line 2 too/,
      ],
      [
        () => readFlightTable({ source: "f.csv", text: "flight,origin\n" }, airports()),
        /f\.csv has no column destination/,
      ],
      [() => day({ flights: flights() }), /day: no flights/],
      [
        () => airports("airport,latitude,longitude\nBOS,NaN,3\n"),
        /airports\.csv line 2: latitude "NaN" is not a number from -90 to 90/,
      ],
      [() => airports("airport,latitude,longitude\nBOS,42,\n"), /airports\.csv line 2: longitude "" is not a number/],
      [() => day({ capacity }), /capacity\.csv: capacity of unknown volume ZZZ/],
      [() => day({ rules: { ...defaultDayRules, binMinutes: 25 } }), /60 must be divisible/],
      [() => day({ scenario: "fog" }), /--scenario fog: the rules have no scenarios/],
      [
        () => readDayRules({ source: "rules.json", text: `{"binMinute": 15}` }),
        /rules\.json: unknown field "binMinute": did you mean "binMinutes"\?/,
      ],
      [
        () => readDayRules({ source: "rules.json", text: `{"capacity": {"cellFactor": NaN}}` }),
        /rules\.json: not JSON/,
      ],
      [() => flights("A1,BOS,DCA,2024-02-30T08:00Z,"), /line 2: departure "2024-02-30T08:00Z" is not a time like/],
      [
        () => flights("A1,BOS,DCA,2024-05-01T08:00Z,2024-05-09T08:00Z"),
        /line 2: flight A1 arrives at .*, more than a day after it departs/,
      ],
      [() => weather({ box: [39, 38, -78, -77] }), /rules\.json: weather\.0\.box: .* north, must be above/],
      [
        () => weather({ box: [38, 39, -77, -78] }),
        /rules\.json: weather\.0\.box: .* split a box across the date line in two/,
      ],
      [() => weather({ box: [38, 390, -78, -77] }), /rules\.json: weather\.0\.box\.1: /],
      [() => weather({ fromHour: 12 }), /rules\.json: weather\.0\.toHour: it must be after fromHour/],
      [
        () => weather({ arivalsOnly: true }),
        /rules\.json: weather\.0: unknown field "arivalsOnly": did you mean "arrivalsOnly"\?/,
      ],
      [() => weather({}, ["fog"]), /rules\.json: scenarios\.bad: no weather is called "fog"; there is storm/],
    ];
    for (const [act, message] of wrong) assert.throws(act, message);
  });

  it("reads a capacity table and names its wrong lines", () => {
    const table = (rows: string) =>
      readCapacityTable({ source: "capacity.csv", text: `volume,hour,capacity\n${rows}` });
    assert.deepEqual(
      table("ARR:DCA,11,4\nARR:DCA,12,5\n").hours.get("ARR:DCA"),
      new Map([
        ["11:00-12:00", 4],
        ["12:00-13:00", 5],
      ]),
    );
    assert.throws(
      () => table("ARR:DCA,11,4\nARR:DCA,24,4"),
      /capacity\.csv line 3: hour is "24"; it must be a whole number from 0 to 23/,
    );
    assert.throws(() => table("ARR:DCA,11,NaN"), /capacity\.csv line 2: capacity "NaN" is not a number of at least 0/);
    assert.throws(
      () => table("ARR:DCA,11,4\nARR:DCA,11,5"),
      /capacity\.csv line 3: capacity of ARR:DCA in hour 11 again; give it once/,
    );
  });

  it("limits every hour of a range, also past midnight, and refuses hours given twice or in part", () => {
    const limited = (ranges: Readonly<Record<string, number>>) => {
      const hours = new Map([["ARR:DCA", new Map(Object.entries(ranges))]]);
      const { capacity, volumeIds } = day({ capacity: { source: "capacity.geojson", hours } });
      const row = capacity.subarray((volumeIds.length - 1) * 96);
      return Array.from({ length: 24 }, (_, hour) => row[hour * 4]).flatMap((flights, hour) =>
        flights === Infinity ? [] : [[hour, flights]],
      );
    };
    assert.deepEqual(limited({ "6:00-9:00": 5, "22:00-1:00": 7 }), [
      [0, 7],
      [6, 5],
      [7, 5],
      [8, 5],
      [22, 7],
      [23, 7],
    ]);
    assert.equal(limited({ "0:00-24:00": 5 }).length, 24);
    assert.throws(() => limited({ "6:00-9:00": 5, "8:00-9:00": 7 }), /the hour from 8:00 is limited twice/);
    for (const range of ["6:30-7:30", "6:00-6:00", "6:00-25:00", "24:00-1:00", "8h"]) {
      assert.throws(() => limited({ [range]: 5 }), /capacity of ARR:DCA: ".*" is not a range of whole hours/);
    }
  });

  it("reads quoted fields", () => {
    const text = `airport,latitude,longitude,name\n"BOS",42,-71,"Logan, ""General"""\n`;
    assert.deepEqual(readAirports({ source: "airports.csv", text }).get("BOS"), { latitude: 42, longitude: -71 });
  });
});

describe("the great circle", () => {
  it("starts and ends where it should and is a quarter of the globe long from pole to equator", () => {
    const [pole, equator] = [
      { latitude: 90, longitude: 0 },
      { latitude: 0, longitude: 30 },
    ];
    assert.ok(Math.abs(distanceNm(pole, equator) - 5403.6) < 0.1);
    assert.ok(Math.abs(along(pole, equator, 0.5).latitude - 45) < 1e-9);
    assert.ok(Math.abs(along(pole, equator, 1).longitude - 30) < 1e-9);
  });
});
