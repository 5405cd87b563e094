import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { assertRefused, coppice, temporaryDirectory } from "../../test/coppice.ts";

describe("coppice bench", () => {
  it("lists the benchmarks", async (t) => {
    const { stdout, code } = await coppice(temporaryDirectory(t), ["bench"]);
    assert.equal(code, 0);
    assert.match(stdout, /^benchmark +measures\n/);
    assert.match(stdout, /^rates +\S/m);
  });

  it("refuses a benchmark that does not exist, naming those that do, and rounds that are none", async (t) => {
    const place = temporaryDirectory(t);
    assertRefused(await coppice(place, ["bench", "speed"]), /there is no benchmark speed: there are .*rates/);
    assertRefused(await coppice(place, ["bench", "rates", "--rounds", "0"]), /'--rounds <n>' argument '0' is invalid/);
  });
});
