import assert from "node:assert/strict";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, describe, it } from "node:test";
import { fileURLToPath } from "node:url";
import type { FlowView } from "@coppice/airspace/view";
import { coppice } from "../../test/coppice.ts";
import { shownIn } from "../../test/exported-page.ts";

const golden = (name: string) =>
  fileURLToPath(new URL(`../../../airspace/test/fixtures/golden/${name}.json`, import.meta.url));
const scratch = mkdtempSync(join(tmpdir(), "coppice-flow-"));
after(() => rmSync(scratch, { recursive: true }));
const at = (name: string) => join(scratch, name);
const write = (name: string, content: string | object) => {
  writeFileSync(at(name), typeof content === "string" ? content : JSON.stringify(content));
  return at(name);
};

/** Output of a command that must succeed. */
async function done(...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await coppice(scratch, ["flow", ...args]);
  assert.equal(code, 0, stderr);
  return stdout;
}

const day = at("day.airspace");
const plan = write("plan.json", {
  plan: [{ volume: "ARR:LGA", window: [44, 62], flows: [0, 1, 2, 3, 4, 5], rate: 19 }],
});

describe("coppice flow on the day that ships with it", () => {
  it("imports the day, then lists its hotspots", async () => {
    const summary = JSON.parse(await done("import", "--day", "us-2001-06-29", "--out", day, "--json"));
    assert.deepEqual([summary.flights, summary.volumes, summary.visits], [17_599, 329, 111_634]);
    const { hotspots, objective } = JSON.parse(await done("hotspots", "--instance", day, "--json"));
    assert.equal(objective, 2082);
    assert.equal(hotspots.length, 46);
    assert.deepEqual(hotspots[0], {
      volume: "822aaffffffffff",
      name: "30 km SE of BWI",
      window: [52, 58],
      windowUtc: ["21:00", "22:30"],
      excess: 196,
      worst: 53,
      peak: 230,
      capacity: 177,
    });
  });

  it("draws the worst hotspots in the terminal and as a page, before and after a plan", async () => {
    const text = await done("hotspots", "--instance", day, "--top", "3", "--plan", plan, "--report", at("report.html"));
    assert.match(text, /exceedance 2065, without the plan 46 hotspots and 2082/);
    assert.equal(text.split("\n").filter((line) => line.includes("█")).length, 3);
    const { view } = shownIn(at("report.html")) as { readonly view: FlowView };
    assert.deepEqual([view.plan.length, view.volumeNames.length], [1, 329]);
  });

  it("scores a plan for the network and line by line", async () => {
    const score = JSON.parse(await done("score", "--instance", day, "--plan", plan, "--json"));
    assert.equal(score.after.objective, 2126.12);
    assert.equal(score.after.delayMinutes, 2806);
    assert.equal(score.lines[0].delayMinutes, 2806);
    assert.equal(score.weights.delayMinute, 0.02);
    const dearer = JSON.parse(
      await done("score", "--instance", day, "--plan", plan, "--lambda", "0.05", "--mu", "0", "--json"),
    );
    assert.equal(dearer.after.objective, 2065 + 0.05 * 2806);
    assert.match(await done("score", "--instance", day, "--plan", plan), /objective J +2082 +2126\.12/);
  });
});

describe("coppice flow import", () => {
  const airports = write("airports.csv", "airport,latitude,longitude\nBOS,42.36,-71\nDCA,38.85,-77\n");
  const header = "flight,origin,destination,departure\n";

  it("builds a day from a flight table with capacities of its own", async () => {
    const flights = write("flights.csv", `${header}A1,BOS,DCA,2024-05-01T08:00Z\nA2,BOS,DCA,2024-05-01T08:05Z\n`);
    const capacity = write("capacity.csv", "volume,hour,capacity\nARR:DCA,9,1\n");
    await done(
      "import",
      "--flights",
      flights,
      "--airports",
      airports,
      "--capacity",
      capacity,
      "--out",
      at("own.airspace"),
    );
    const { hotspots } = JSON.parse(await done("hotspots", "--instance", at("own.airspace"), "--json"));
    assert.deepEqual(
      hotspots.map(({ volume }: { volume: string }) => volume),
      ["ARR:DCA"],
    );
  });

  it("builds a day from the published planner's artifacts and from reference numbers alike", async () => {
    const { instance } = JSON.parse(readFileSync(golden("tiny2"), "utf8"));
    const { time_bin_minutes, tv_id_to_idx, capacities } = instance;
    const features = Object.entries(capacities).map(([traffic_volume_id, capacity]) => ({
      type: "Feature",
      properties: { traffic_volume_id, capacity },
      geometry: null,
    }));
    const artifacts = [
      ["--occupancy", write("occupancy.json", instance.flights)],
      ["--indexer", write("indexer.json", { time_bin_minutes, tv_id_to_idx })],
      ["--capacity", write("capacity.geojson", { type: "FeatureCollection", features })],
    ].flat();
    await done("import", ...artifacts, "--name", "tiny2", "--out", at("artifacts.airspace"));
    await done("import", "--golden", golden("tiny2"), "--out", at("golden.airspace"));
    assert.deepEqual(readFileSync(at("artifacts.airspace")), readFileSync(at("golden.airspace")));
    const file = JSON.parse(readFileSync(golden("tiny2"), "utf8"));
    const segments = JSON.parse(
      await done("hotspots", "--instance", at("golden.airspace"), "--semantics", "reference", "--json"),
    );
    assert.deepEqual(segments, file.hotspot_segments);
    const text = await done("hotspots", "--instance", at("golden.airspace"), "--semantics", "reference", "--top", "1");
    const { traffic_volume_id, start_bin, end_bin, sum_excess } = segments[0];
    assert.match(text, new RegExp(`^tiny2: ${segments.length} hotspot segments of the published planner`));
    assert.match(text, new RegExp(`${traffic_volume_id} +\\S+ +${start_bin}-${end_bin} +${sum_excess} `));
    const scored = await done(
      "score",
      "--instance",
      at("golden.airspace"),
      "--semantics",
      "reference",
      "--plan",
      golden("tiny2"),
      "--json",
    );
    const [{ J_total }] = JSON.parse(scored).score_cases;
    assert.ok(Math.abs(J_total - file.score_cases[0].J_total) < 1e-6);
  });

  // What each reader says is tested beside it; here, that it arrives.
  it("ends wrong input with one line, exit code 2 and no file", async () => {
    const damaged = readFileSync(day);
    damaged[damaged.length - 5] ^= 1;
    writeFileSync(at("damaged.airspace"), damaged);
    const good = write("good.csv", `${header}A1,BOS,DCA,2024-05-01T08:00Z\n`);
    const table = (name: string, rows: string) => [
      "import",
      "--out",
      at("none"),
      "--airports",
      airports,
      "--flights",
      write(name, header + rows),
    ];
    const wrongPlan = (name: string, line: object) => [
      "score",
      "--instance",
      day,
      "--plan",
      write(name, [{ volume: "ARR:LGA", window: [44, 62], rate: 19, ...line }]),
    ];
    const cases: readonly (readonly [string[], RegExp])[] = [
      [table("a.csv", "A1,BOS\n"), /a\.csv line 2: 2 fields where the header has 4/],
      [
        [
          ...table("f.csv", "A1,BOS,DCA,2024-05-01T08:00Z\n"),
          "--capacity",
          write("f-capacity.csv", "volume,hour,capacity\nNOPE,1,2\n"),
        ],
        /f-capacity\.csv: capacity of unknown volume NOPE/,
      ],
      [
        [...table("g.csv", "A1,BOS,DCA,2024-05-01T08:00Z\n"), "--rules", write("g.json", { binMinutes: 25 })],
        /60 must be divisible by it/,
      ],
      [["import", "--out", at("none"), "--flights", good], /--flights without --points needs --airports/],
      [
        ["import", "--out", at("no/such/folder"), "--golden", golden("tiny1")],
        /--out .*no\/such\/folder: cannot be written \(there is no such folder\)/,
      ],
      [
        ["import", "--out", at("."), "--golden", golden("tiny1")],
        /--out .*: it is a folder; it must be the name of a file/,
      ],
      [["hotspots", "--instance", at("damaged.airspace")], /damaged\.airspace: damaged/],
      [["hotspots", "--semantics", "reference", "--plan", plan], /--plan with --semantics reference/],
      [wrongPlan("k.json", { rate: 0 }), /k\.json: regulation 1: rate 0; it must be above 0/],
      [
        ["score", "--instance", day, "--plan", plan, "--lambda", "-1"],
        /--lambda "-1": a price must be a number of at least 0/,
      ],
    ];
    for (const [args, message] of cases) {
      const { code, stdout, stderr } = await coppice(scratch, ["flow", ...args]);
      assert.equal(code, 2, `${args.join(" ")}: ${stderr}`);
      assert.equal(stdout, "");
      assert.match(stderr, message);
      assert.equal(stderr.trimEnd().split("\n").length, 1, stderr);
    }
    assert.equal(existsSync(at("none")), false);
    assert.deepEqual(
      readdirSync(scratch).filter((name) => name.endsWith(".tmp")),
      [],
    );
  });
});
