import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { checkDelayGranularity } from "./check-plan.ts";

const log = (...entries: unknown[]) => ({
  source: "run.jsonl",
  text: entries.map((e) => JSON.stringify(e)).join("\n"),
});
const end = (delays: object) => ({ type: "run_end", artifacts: { delays_min: delays } });

describe("delays of a published run", () => {
  it("are checked at its last end only", () => {
    const { violations, total } = checkDelayGranularity(
      log({ type: "run_start" }, end({ F1: 7 }), end({ F1: 15, F2: 30, F3: 22, F4: 0 })),
    );
    assert.deepEqual(violations, ["F3 is delayed by 22 minutes"]);
    assert.equal(total, 3);
  });

  it("are not missed where there is no log or no delays in it", () => {
    assert.equal(checkDelayGranularity(undefined).total, 0);
    assert.equal(checkDelayGranularity(log({ event: "run_end" })).total, 0);
  });

  it("are refused with the line that is wrong", () => {
    assert.throws(() => checkDelayGranularity({ source: "run.jsonl", text: "{}\n{" }), /run\.jsonl: line 2: not JSON/);
    assert.throws(
      () => checkDelayGranularity(log(end({ F1: "x" }))),
      /run\.jsonl: line 1: .*it must be a number, not a text/,
    );
  });
});
