import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { randomInstance } from "../../test/random-instance.ts";
import { decodeInstance, encodeInstance } from "./artifact.ts";

describe("the instance file", () => {
  it("gives back the instance it was written from", () => {
    fc.assert(
      fc.property(fc.nat(), (seed) => {
        const instance = randomInstance(seed);
        assert.deepEqual(decodeInstance(encodeInstance(instance), "memory"), instance);
      }),
      { numRuns: 50 },
    );
  });

  it("is read in place when its bytes are shared between threads", () => {
    const instance = randomInstance(3);
    const bytes = encodeInstance(instance);
    const shared = new Uint8Array(new SharedArrayBuffer(bytes.length));
    shared.set(bytes);
    const read = decodeInstance(shared, "memory");
    assert.deepEqual(read.entrySecond, instance.entrySecond);
    assert.equal(read.entrySecond.buffer, shared.buffer);
  });

  it("says what it holds in its second line", () => {
    const instance = randomInstance(5);
    const header = JSON.parse(new TextDecoder().decode(encodeInstance(instance)).split("\n")[1]);
    assert.equal(header.flights, instance.flightIds.length);
    assert.deepEqual(header.volumeIds, instance.volumeIds);
  });

  it("is refused when any byte after the first line changed", () => {
    const bytes = encodeInstance(randomInstance(7));
    fc.assert(
      fc.property(fc.integer({ min: 112, max: bytes.length - 1 }), fc.integer({ min: 1, max: 255 }), (at, flip) => {
        const damaged = bytes.slice();
        damaged[at] ^= flip;
        assert.throws(() => decodeInstance(damaged, "day.airspace"), /^UsageError: day\.airspace: damaged/);
      }),
    );
    assert.throws(() => decodeInstance(bytes.slice(0, bytes.length - 8), "day.airspace"), /damaged/);
  });

  it("is refused when it is of another version or no instance at all", () => {
    const bytes = encodeInstance(randomInstance(7));
    const other = bytes.slice();
    other["coppice-airspace ".length] = "9".charCodeAt(0);
    assert.throws(
      () => decodeInstance(other, "day.airspace"),
      /day\.airspace: instance version 9, this program reads version 1/,
    );
    assert.throws(() => decodeInstance(new TextEncoder().encode("{}"), "x.json"), /x\.json: not an airspace instance/);
    assert.throws(() => decodeInstance(new Uint8Array(0), "empty"), /empty: not an airspace instance/);
  });
});
