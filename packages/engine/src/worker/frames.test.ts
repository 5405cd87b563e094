import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { FrameReader, frame } from "./frames.ts";

describe("frames", () => {
  it("arrive whole and in order, however the pipe cuts them", () => {
    const message = fc.array(fc.oneof(fc.string({ unit: "binary" }), fc.double(), fc.integer()), { maxLength: 8 });
    fc.assert(
      fc.property(fc.array(message, { maxLength: 12 }), fc.array(fc.integer({ min: 1, max: 60 })), (messages, cuts) => {
        const bytes = Buffer.concat(messages.map(frame));
        const received: unknown[] = [];
        const reader = new FrameReader((arrived) => received.push(arrived));
        let at = 0;
        for (const cut of cuts) {
          reader.push(bytes.subarray(at, at + cut));
          at = Math.min(bytes.length, at + cut);
        }
        reader.push(bytes.subarray(at));
        assert.deepStrictEqual(received, messages);
      }),
    );
  });
});
