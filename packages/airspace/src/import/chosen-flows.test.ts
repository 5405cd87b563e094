import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, describe, it } from "node:test";
import { randomInstance } from "../../test/random-instance.ts";
import { flowRules, ruledFlow } from "../instance/flows.ts";
import type { Instance } from "../instance/instance.ts";
import { usDay } from "../instance/us-day.ts";
import { withChosenFlows } from "./chosen-flows.ts";

const folder = mkdtempSync(join(tmpdir(), "coppice-flows-"));
after(() => rmSync(folder, { recursive: true }));

function flowsFile(content: unknown): string {
  const path = join(folder, "flows.json");
  writeFileSync(path, typeof content === "string" ? content : JSON.stringify(content));
  return path;
}

/** Name of the flow of each visit, as (flight, volume, flow). */
function* flowsOfVisits(day: Instance): Generator<readonly [flight: number, volume: number, flow: string]> {
  for (let flight = 0; flight < day.flightIds.length; flight++) {
    for (let visit = day.visitOffset[flight]; visit < day.visitOffset[flight + 1]; visit++) {
      const volume = day.visitVolume[visit];
      yield [flight, volume, day.flowNames[volume][day.visitFlow[visit]]];
    }
  }
}

const day: Instance = {
  ...randomInstance(5),
  airlines: ["UA", "DL"],
  routes: ["J80"],
};
const airlined: Instance = {
  ...day,
  flightAirline: Int32Array.from(day.flightIds, (_, flight) => (flight % 3) - 1),
  flightRoute: Int32Array.from(day.flightIds, (_, flight) => (flight % 2) - 1),
};

describe("flows that were chosen", () => {
  it("group every flight by the rule, the busiest five and the rest", () => {
    for (const rule of flowRules) {
      const grouped = withChosenFlows(airlined, rule);
      for (const [flight, volume, flow] of flowsOfVisits(grouped)) {
        const own = ruledFlow(airlined, rule, flight);
        assert.equal(flow, own !== undefined && grouped.flowNames[volume].includes(own) ? own : "other", rule);
      }
      assert.ok(grouped.flowNames.every((names) => names.length <= 6));
    }
  });

  it("may be lists of flights, for all volumes or for some; who is in none is in the other flow", () => {
    const [a, b, c] = day.flightIds;
    const all = withChosenFlows(day, flowsFile({ north: [a], south: [b, c] }));
    const flowOf = new Map([
      [0, "north"],
      [1, "south"],
      [2, "south"],
    ]);
    for (const [flight, , flow] of flowsOfVisits(all)) assert.equal(flow, flowOf.get(flight) ?? "other");
    const some = withChosenFlows(day, flowsFile({ volumes: { [day.volumeIds[0]]: { north: [a] } } }));
    for (const [flight, volume, flow] of flowsOfVisits(some)) {
      assert.equal(flow, volume === 0 && flight === 0 ? "north" : "other");
    }
  });

  it("may be those of the published discovery", () => {
    const found = withChosenFlows(usDay(), "discover");
    const volume = found.volumeIds.indexOf("822aaffffffffff");
    assert.deepEqual(found.flowNames[volume], ["remaining", "0", "other"]);
    assert.deepEqual(found.flowNames[found.volumeIds.indexOf("820c77fffffffff")], ["other"]);
  });

  it("are refused in one line that says what is wrong", () => {
    const [a] = day.flightIds;
    const wrong: readonly (readonly [string, RegExp])[] = [
      ["color", /--flows color: it must be origin, destination, pair, airline, route, discover, or a file/],
      ["airline", /--flows airline: no flight of random-5 has one/],
      [join(folder, "none.json"), /--flows .*none\.json: cannot be read/],
    ];
    for (const [choice, message] of wrong) assert.throws(() => withChosenFlows(randomInstance(5), choice), message);
    const files: readonly (readonly [unknown, RegExp])[] = [
      ["{", /flows\.json: not JSON/],
      [{ north: "F1" }, /flows\.json: .*give \{ "flow": \["flight"/],
      [{ north: ["nobody"] }, /flow north: random-5 has no flight "nobody"/],
      [{ north: [a], south: [a] }, /flight .* is in north and in south/],
      [{ other: [a] }, /a flow cannot be called "other"/],
      [{ volumes: { ZZZ: {} } }, /random-5 has no volume "ZZZ"/],
      [Object.fromEntries(Array.from({ length: 31 }, (_, k) => [`f${k}`, []])), /31 flows; a volume can have 30/],
    ];
    for (const [content, message] of files) assert.throws(() => withChosenFlows(day, flowsFile(content)), message);
  });
});
