import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import type { FlowView } from "@coppice/airspace/view";
import { coppice, temporaryDirectory } from "../../test/coppice.ts";
import { shownIn } from "../../test/exported-page.ts";

/** Output of a `coppice` line that must succeed. */
async function done(place: string, line: string): Promise<string> {
  const { code, stdout, stderr } = await coppice(place, line.split(" "));
  assert.equal(code, 0, `${line}: ${stderr}`);
  return stdout;
}

describe("the way from a user's files to a plan", () => {
  it("has files, commands and results that are as they are printed", async (t) => {
    const place = temporaryDirectory(t);
    const page = (name: string) => readFileSync(new URL(`../../../../docs/${name}`, import.meta.url), "utf8");
    const files = [
      ...page("flow-files.md").matchAll(/`([\w.]+\.(?:csv|json|geojson))`[^`\n][\s\S]*?\n\n```\w+\n([\s\S]*?)```/g),
    ];
    for (const [, name, text] of files) writeFileSync(join(place, name), text);
    assert.equal(files.length, 10);
    const way = page("flow.md").split(/^## /m)[1];
    const commands = [...way.matchAll(/^\$ npx coppice (.*)\n((?:(?!\$ |```).*\n)*)/gm)];
    assert.ok(commands.length >= 15);
    for (const [, line, printed] of commands) {
      let left = await done(place, line);
      for (const expected of printed.split("\n").filter((each) => each !== "" && each !== "…")) {
        const at = left.indexOf(`${expected}\n`);
        assert.notEqual(at, -1, `${line}: expected ${expected} in ${left}`);
        left = left.slice(at + expected.length);
      }
    }
    const score = async (plan: string) =>
      JSON.parse(await done(place, `flow score --instance own.airspace --flows flows.json --plan ${plan} --json`));
    const best = await score("best.json");
    for (const exported of ["results/plan.json", "results/plan.csv", "results/plan.geojson"]) {
      assert.equal((await score(exported)).after.delayMinutes, best.after.delayMinutes, exported);
    }
    assert.deepEqual((await score("plan.csv")).after, (await score("plan.json")).after);
  });
});

const COLUMNS = 5;
const ROWS = 3;
const [SOUTH, WEST, SIDE] = [36, -90, 3];
const HIGH = 28_000;
const FLIGHTS = 800;
const DAY = Date.UTC(2024, 4, 1);
const CAPACITY = { quiet: 40, busy: 12 };

/** Numbers that look drawn and are always the same. */
function drawn(n: number, below: number): number {
  return Math.floor(((Math.sin(n * 12.9898) * 43758.5453) % 1) * below + below) % below;
}

interface Point {
  readonly minute: number;
  readonly latitude: number;
  readonly longitude: number;
  readonly feet: number;
}

interface Flight {
  readonly id: string;
  readonly airline: string;
  readonly route: string;
  readonly departure: number;
  readonly points: readonly Point[];
}

/** Flights from side to side of a grid of sectors, up to the high layer and down again. */
const flights: readonly Flight[] = Array.from({ length: FLIGHTS }, (_, n) => {
  const row = drawn(n, ROWS);
  const eastward = n % 2 === 0;
  const departure = 360 + drawn(n + 1000, 600);
  const latitude = SOUTH + row * SIDE + 0.4 + drawn(n + 2000, 120) / 100;
  const longitudes = [WEST + 0.3, WEST + 4, WEST + COLUMNS * SIDE - 4, WEST + COLUMNS * SIDE - 0.3];
  const feet = [0, 34_000, 34_000, 0];
  const minutes = [0, 25, 75, 100];
  return {
    id: `F${n}`,
    airline: ["AB", "CD", "EF"][n % 3],
    route: `${["south", "middle", "north"][row]}-${eastward ? "east" : "west"}`,
    departure,
    points: (eastward ? longitudes : longitudes.toReversed()).map((longitude, at) => ({
      minute: minutes[at],
      latitude: latitude + (at % 2) * 0.7,
      longitude,
      feet: feet[at],
    })),
  };
});

const sectors = Array.from({ length: COLUMNS * ROWS * 2 }, (_, n) => {
  const high = n >= COLUMNS * ROWS;
  const cell = n % (COLUMNS * ROWS);
  const [west, south] = [WEST + (cell % COLUMNS) * SIDE, SOUTH + Math.floor(cell / COLUMNS) * SIDE];
  return { id: `S${cell}${high ? "H" : "L"}`, name: `Sector ${cell} ${high ? "high" : "low"}`, high, west, south };
});

function writeDay(place: string): void {
  const write = (name: string, content: string | object) =>
    writeFileSync(join(place, name), typeof content === "string" ? content : JSON.stringify(content));
  const time = (minute: number): string => new Date(DAY + minute * 60_000).toISOString();
  write(
    "flights.csv",
    ["flight,origin,destination,departure,airline,route"]
      .concat(flights.map((f) => `${f.id},${f.route.slice(-4)},X,${time(f.departure)},${f.airline},${f.route}`))
      .join("\n"),
  );
  write(
    "points.csv",
    ["flight,time,latitude,longitude,altitude"]
      .concat(
        flights.flatMap(({ id, departure, points }) =>
          points.map((p) => `${id},${time(departure + p.minute)},${p.latitude},${p.longitude},${p.feet}`),
        ),
      )
      .join("\n"),
  );
  write("sectors.geojson", {
    type: "FeatureCollection",
    features: sectors.map(({ id, name, high, west, south }) => ({
      type: "Feature",
      properties: { id, name, ...(high ? { floor: HIGH } : { floor: 0, ceiling: HIGH }) },
      geometry: {
        type: "Polygon",
        coordinates: [
          [
            [west, south],
            [west + SIDE, south],
            [west + SIDE, south + SIDE],
            [west, south + SIDE],
            [west, south],
          ],
        ],
      },
    })),
  });
  const hours = Array.from({ length: 24 }, (_, hour) => hour);
  write(
    "capacity.csv",
    ["volume,hour,capacity"]
      .concat(sectors.flatMap(({ id }) => hours.map((hour) => `${id},${hour},${capacityAt(hour)}`)))
      .join("\n"),
  );
  write("rules.json", {
    weather: [{ name: "squall", box: [SOUTH, SOUTH + SIDE, WEST, WEST + 20], fromHour: 9, toHour: 12, cut: 0.25 }],
    scenarios: { squall: ["squall"], fine: [] },
  });
}

function capacityAt(hour: number): number {
  return hour >= 8 && hour < 14 ? CAPACITY.busy : CAPACITY.quiet;
}

/** Entries per sector and bin, the slow way: where is every flight every ten seconds? */
function countedEntries(): Map<string, Int32Array> {
  const entries = new Map(sectors.map(({ id }) => [id, new Int32Array(96)]));
  for (const { departure, points } of flights) {
    let before = "";
    for (let step = 0; step <= 600; step++) {
      const minute = step / 6;
      const next = Math.max(
        1,
        points.findIndex((point) => point.minute >= minute),
      );
      const [a, b] = [points[next - 1], points[next]];
      const share = (minute - a.minute) / (b.minute - a.minute);
      const [latitude, longitude] = onGreatCircle(a, b, share);
      const cell = Math.floor((longitude - WEST) / SIDE) + COLUMNS * Math.floor((latitude - SOUTH) / SIDE);
      const here = `S${cell}${a.feet + (b.feet - a.feet) * share >= HIGH ? "H" : "L"}`;
      if (here !== before) {
        const counts = entries.get(here);
        assert.ok(counts !== undefined, here);
        counts[Math.floor((departure + minute) / 15)]++;
      }
      before = here;
    }
  }
  return entries;
}

/** By unit vectors. */
function onGreatCircle(a: Point, b: Point, share: number): readonly [latitude: number, longitude: number] {
  const vector = ({ latitude, longitude }: Point): number[] => {
    const [phi, lambda] = [(latitude * Math.PI) / 180, (longitude * Math.PI) / 180];
    return [Math.cos(phi) * Math.cos(lambda), Math.cos(phi) * Math.sin(lambda), Math.sin(phi)];
  };
  const [u, v] = [vector(a), vector(b)];
  const angle = Math.acos(Math.min(1, u[0] * v[0] + u[1] * v[1] + u[2] * v[2]));
  const [x, y, z] = u.map((value, k) => Math.sin((1 - share) * angle) * value + Math.sin(share * angle) * v[k]);
  return [(Math.atan2(z, Math.hypot(x, y)) * 180) / Math.PI, (Math.atan2(y, x) * 180) / Math.PI];
}

describe("a stranger's day of sectors and waypoints", () => {
  const place = mkdtempSync(join(tmpdir(), "coppice-own-day-"));
  after(() => rmSync(place, { recursive: true }));
  const day = "--instance own.airspace --flows route";
  before(async () => {
    writeDay(place);
    await done(
      place,
      "flow import --flights flights.csv --points points.csv --sectors sectors.geojson --capacity capacity.csv --rules rules.json --scenario squall --name own -o own.airspace",
    );
  });

  it("has the entries and the exceedance that a slow count finds", async () => {
    const counted = countedEntries();
    const volumes = JSON.parse(await done(place, "flow volumes --instance own.airspace --json")) as {
      volume: string;
      name: string;
      entries: number;
      peak: number;
    }[];
    let exceedance = 0;
    for (const { id, name, south } of sectors) {
      const bins = counted.get(id) ?? new Int32Array(96);
      const rolling = Array.from(bins, (_, bin) => bins.subarray(bin, bin + 4).reduce((sum, count) => sum + count, 0));
      rolling.forEach((count, bin) => {
        const hour = Math.floor(bin / 4);
        const usual = capacityAt(hour);
        const inSquall = south === SOUTH && hour >= 9 && hour < 12;
        exceedance += Math.max(0, count - (inSquall ? Math.round(usual * 0.75) : usual));
      });
      const found = volumes.find(({ volume }) => volume === id);
      const entries = bins.reduce((sum, count) => sum + count, 0);
      assert.deepEqual([found?.name, found?.entries, found?.peak], [name, entries, Math.max(...rolling)], id);
    }
    assert.ok(exceedance > 100);
    const { objective } = JSON.parse(await done(place, "flow hotspots --instance own.airspace --json"));
    assert.equal(objective, exceedance);
  });

  it("is planned with flows by route; what is explained, exported and scored agrees to the last digit", async () => {
    const flows = JSON.parse(await done(place, `flow flows ${day} --volume S6H --json`)) as { name: string }[];
    assert.deepEqual(flows.map(({ name }) => name).sort(), ["middle-east", "middle-west"]);
    await done(place, `flow plan ${day} --evaluations 4000 --workers 1 --quiet --out plan.json --report plan.html`);
    await done(place, `flow export ${day} --plan plan.json --out results`);
    const score = async (plan: string) => JSON.parse(await done(place, `flow score ${day} --plan ${plan} --json`));
    const scored = await score("plan.json");
    assert.ok(scored.delta < 0, "the plan is better than none");
    for (const plan of ["results/plan.json", "results/plan.csv", "results/plan.geojson"]) {
      assert.deepEqual((await score(plan)).after, scored.after, plan);
    }
    const explained = JSON.parse(await done(place, `flow explain plan.json ${day} --json`));
    const minutes = explained.regulations.reduce(
      (sum: number, line: { delayMinutes: number }) => sum + line.delayMinutes,
      0,
    );
    assert.deepEqual([explained.after, minutes], [scored.after, scored.after.delayMinutes]);
    const delays = JSON.parse(await done(place, `flow delays --plan plan.json ${day} --json`));
    const byAirline = delays.byAirline.map(({ name }: { name: string }) => name).sort();
    assert.deepEqual([delays.minutes, byAirline], [scored.after.delayMinutes, ["AB", "CD", "EF"]]);
    const compared = JSON.parse(await done(place, `flow compare plan.json results/plan.csv ${day} --json`));
    assert.deepEqual([compared.delta, compared.changed], [0, []]);
    const { volumeNames } = shownIn(join(place, "plan.html")).view as FlowView;
    assert.ok(volumeNames.includes("Sector 6 high"));
  });

  it("refuses what is wrong with sectors and points in one line", async () => {
    const wrong: readonly (readonly [string, string, string, RegExp])[] = [
      [
        "points",
        "points.csv",
        "flight,time,latitude,longitude\nZZ,2024-05-01T08:00Z,1,2\n",
        /line 2: unknown flight "ZZ"/,
      ],
      [
        "points",
        "points.csv",
        "flight,time,latitude,longitude\nF1,2024-02-30T08:00Z,1,2\n",
        /line 2: time "2024-02-30T/,
      ],
      [
        "points",
        "points.csv",
        "flight,time,latitude,longitude\nF1,2024-05-01T00:00Z,1,2\n",
        /line 2: flight F1 is somewhere before/,
      ],
      [
        "points",
        "points.csv",
        "flight,time,latitude,longitude\nF1,2024-05-01T23:00Z,1,2\nF1,2024-05-01T22:00Z,1,2\n",
        /line 3: time of F1 is not after/,
      ],
      [
        "points",
        "points.csv",
        "flight,time,latitude,longitude\nF1,2024-05-01T23:00Z,100,2\n",
        /line 2: latitude "100" is not/,
      ],
      ["sectors", "s.geojson", `{"type":"FeatureCollection","features":[]}`, /s\.geojson: features: /],
      [
        "sectors",
        "s.geojson",
        sector({ id: "A" }, [
          [0, 0],
          [1, 0],
          [1, 1],
        ]),
        /four positions/,
      ],
      [
        "sectors",
        "s.geojson",
        sector({ id: "A" }, [
          [0, 0],
          [1, 0],
          [1, 1],
          [0, 1],
        ]),
        /last position of a ring must be its first/,
      ],
      ["sectors", "s.geojson", sector({}), /sector 1 has no id/],
      ["sectors", "s.geojson", sector({ id: "A", floor: 5, ceiling: 5 }), /its floor 5 is not below its ceiling 5/],
      ["sectors", "s.geojson", sector({ id: "ARR:CLE" }), /ids that begin with ARR: count landings/],
      [
        "points",
        "points.csv",
        "flight,time,latitude,longitude\nF1,2024-05-03T23:00Z,1,2\n",
        /line 2: flight F1 is here more than a day after it departs/,
      ],
      ["sectors", "s.geojson", sector({ id: "A", capacity: { "6:30-7:00": 3 } }), /not a range of whole hours/],
      ["sectors", "s.geojson", sector({ id: "A", capacity: -1 }), /it must be 0 or more/],
    ];
    for (const [option, name, text, message] of wrong) {
      writeFileSync(join(place, `wrong-${name}`), text);
      const files = { points: "points.csv", sectors: "sectors.geojson", [option]: `wrong-${name}` };
      const line = `flow import --flights flights.csv --points ${files.points} --sectors ${files.sectors} -o wrong.airspace`;
      const { code, stderr } = await coppice(place, line.split(" "));
      assert.equal(code, 2, `${text}: ${stderr}`);
      assert.match(stderr, message);
      assert.equal(stderr.trimEnd().split("\n").length, 1);
    }
    const { code, stderr } = await coppice(place, ["flow", "import", "--flights", "flights.csv", "-o", "x.airspace"]);
    assert.deepEqual([code, stderr], [2, "coppice: --flights without --points needs --airports\n"]);
  });
});

function sector(
  properties: object,
  ring = [
    [0, 0],
    [1, 0],
    [1, 1],
    [0, 0],
  ],
): string {
  const geometry = { type: "Polygon", coordinates: [ring] };
  return JSON.stringify({ type: "FeatureCollection", features: [{ type: "Feature", properties, geometry }] });
}
