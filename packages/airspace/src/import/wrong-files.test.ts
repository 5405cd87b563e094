import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, describe, it } from "node:test";
import { readDayRules } from "./day-rules.ts";
import { type ImportChoice, importDay } from "./import-day.ts";
import { openDay } from "./open-day.ts";

const folder = mkdtempSync(join(tmpdir(), "coppice-wrong-"));
after(() => rmSync(folder, { recursive: true }));
function file(name: string, content: unknown): string {
  const path = join(folder, name);
  writeFileSync(path, typeof content === "string" ? content : JSON.stringify(content));
  return path;
}

const flights = "flight,origin,destination,departure\nA1,AAA,BBB,2024-05-01T08:00Z\nA2,BBB,AAA,2024-05-01T08:10Z\n";
const airports = "airport,latitude,longitude\nAAA,40,-80\nBBB,42,-75\n";
const ring = [
  [-82, 38],
  [-73, 38],
  [-73, 44],
  [-82, 44],
  [-82, 38],
];
const sector = (properties: object) => ({
  type: "FeatureCollection",
  features: [
    { type: "Feature", properties: { id: "S", ...properties }, geometry: { type: "Polygon", coordinates: [ring] } },
  ],
});

/** Imports the small day with something about it different. */
function imported(choice: Partial<ImportChoice> = {}) {
  return importDay({
    flights: file("flights.csv", flights),
    airports: file("airports.csv", airports),
    out: join(folder, "day.airspace"),
    ...choice,
  });
}

describe("files that strangers wrote", () => {
  it("are refused in words that say what to write instead", () => {
    const sectors = (properties: object) => () => imported({ sectors: file("sectors.geojson", sector(properties)) });
    const rules = (content: unknown) => () => imported({ rules: file("rules.json", content) });
    const weather = { name: "fog", box: [38, 44, -82, -73], fromHour: 8, toHour: 9, cut: 0.5 };
    const wrong: readonly (readonly [() => unknown, RegExp])[] = [
      [sectors({ capacity: "12" }), /sectors\.geojson: capacity of S is the text "12"; give a number, or ranges like/],
      [
        sectors({ capacity: [12] }),
        /features\.0\.properties\.capacity: it must be a number or a text in quotes or an object/,
      ],
      [sectors({ floor: "low" }), /properties\.floor: it must be a number, not a text in quotes/],
      [() => imported({ name: "a\nb" }), /--name "a\\nb": a name is one line of text/],
      [
        () => imported({ sectors: file("sectors.geojson", { type: "Feature" }) }),
        /sectors\.geojson: type: it must be "FeatureCollection"/,
      ],
      [sectors({ id: "" }), /properties\.id: it is empty/],
      [sectors({ id: "S\nT" }), /properties\.id: a name must not have line breaks/],
      [sectors({ name: "Lake\nhigh" }), /properties\.name: a name must not have line breaks/],
      [
        rules({ weather: [weather, weather] }),
        /rules\.json: weather\.1\.name: "fog" again; names of weather must differ/,
      ],
      [rules({ binMinutes: "15" }), /rules\.json: binMinutes: it must be a number, not a text in quotes/],
      [rules({ binMinutes: 7 }), /rules\.json: binMinutes: 60 must be divisible by it/],
      [rules({ bin: 15 }), /rules\.json: unknown field "bin"; it may have start, binMinutes, cellResolution/],
      [rules({ start: "May" }), /rules\.json: start: it must be a time like 2024-05-01T00:00:00Z/],
      [rules({ weather: [{ ...weather, cut: 2 }] }), /weather\.0\.cut: it must be 1 or less/],
      [rules({ weather: [{ ...weather, cut: undefined }] }), /weather\.0\.cut: it is missing; give a number/],
      [rules({ weather: {} }), /weather: it must be a list \[ … \], not an object/],
      [rules([]), /rules\.json: it must be an object \{ … \}, not a list/],
      [() => imported({ scenario: "nope" }), /--scenario nope: needs --rules, a file that has scenarios/],
      [
        () =>
          imported({ scenario: "nope", rules: file("rules.json", { weather: [weather], scenarios: { fine: [] } }) }),
        /--scenario nope: .*rules\.json has the scenarios fine$/,
      ],
      [
        () => imported({ flights: file("odd-flights.csv", flights.replace("A1", '"A\n1"')) }),
        /flights\.csv.*flight "A\\n1" must not have line breaks/,
      ],
      [
        () =>
          imported({
            airports: file(
              "odd-airports.csv",
              'airport,latitude,longitude,city\nAAA,40,-80,"New\nYork"\nBBB,42,-75,x\n',
            ),
          }),
        /airports\.csv.*city "New\\nYork" must not have line breaks/,
      ],
    ];
    for (const [attempt, message] of wrong) {
      assert.throws(attempt, (error: Error) => {
        assert.match(error.message, message);
        assert.doesNotMatch(error.message, /Invalid|expected|received|Unrecognized|record|\n/);
        return true;
      });
    }
  });

  it("may leave out each field of the rules, also inside track and capacity", () => {
    const { track, capacity } = readDayRules({
      source: "rules.json",
      text: JSON.stringify({ track: { knots: 400 }, capacity: { minimum: 3 } }),
    });
    assert.deepEqual(track, { fixedMinutes: 20, knots: 400, cruiseFeet: 35_000 });
    assert.deepEqual(capacity, {
      cellFactor: 1.1,
      arrivalFactor: 1,
      minimum: 3,
      peakBins: [8, 79],
      minimumInWeather: 6,
    });
  });

  it("need at least one flow with a flight in a file of flows", () => {
    imported();
    const flows = (content: unknown) => () =>
      openDay({ instance: join(folder, "day.airspace"), flows: file("flows.json", content) });
    assert.throws(flows({}), /flows\.json: no flow is given; list at least one/);
    assert.throws(flows({ volumes: {} }), /flows\.json: "volumes" has no volume/);
    assert.throws(flows({ north: [] }), /flows\.json: flow north has no flights/);
    assert.throws(flows({ "a\nb": ["A1"] }), /a flow cannot be called "a\\nb"/);
  });
});

describe("what an import points out", () => {
  it("is how many flights leave on another day, and which volumes nobody enters; no flights at all are refused", () => {
    const elsewhere = JSON.parse(JSON.stringify(sector({ id: "far", capacity: 4 })).replaceAll("-", ""));
    const { notices, volumesWithoutEntries } = imported({ sectors: file("far.geojson", elsewhere) });
    assert.equal(volumesWithoutEntries, 1);
    assert.match(notices.join(), /^no flight enters 1 of 1 volumes \(far\); if that is wrong, look at their outlines/);
    assert.deepEqual(imported().notices, []);
    const late = file("late.csv", `${flights}A3,AAA,BBB,2024-05-03T08:00Z\n`);
    assert.match(imported({ flights: late }).notices.join(), /^1 flight departs outside the day/);
    const none = {
      flights: file("none.csv", flights.split("\n")[0]),
      points: file("points.csv", "flight,time,latitude,longitude\nA1,2024-05-01T08:00Z,1,2\n"),
    };
    assert.throws(() => imported(none), /none\.csv: no flights; the table has only its header/);
    const [feature] = sector({}).features;
    const point = { type: "FeatureCollection", features: [{ ...feature, geometry: { type: "Point" } }] };
    assert.throws(
      () => imported({ sectors: file("p.geojson", point) }),
      /geometry\.type: it must be "Polygon" or "MultiPolygon"/,
    );
  });
});

describe("where capacities come from", () => {
  it("is said on import and kept with the day", () => {
    const rules = file("rules.json", {
      weather: [{ name: "fog", box: [38, 44, -82, -73], fromHour: 8, toHour: 9, cut: 0.5 }],
    });
    const given = { sectors: file("sectors.geojson", sector({ capacity: 4 })) };
    const cases: readonly (readonly [Partial<ImportChoice>, RegExp])[] = [
      [{}, /^derived, because no file gives them: 1\.1 times a volume's busiest hour.* \(the usual rule\)$/],
      [{ rules }, /\(rules\.json\); less in weather: fog$/],
      [given, /^given in sectors\.geojson for 1 of 1 volumes$/],
      [{ ...given, rules }, /^given in sectors\.geojson for 1 of 1 volumes; less in weather: fog$/],
    ];
    for (const [choice, words] of cases) {
      assert.match(imported(choice).capacityFrom, words);
      assert.match(openDay({ instance: join(folder, "day.airspace") }).capacityFrom ?? "", words);
    }
  });
});
