import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { breakEvenMs } from "./break-even.ts";

describe("the candidate cost from which a pool pays", () => {
  it("lies between the last cost at which it loses and the next, on a logarithmic scale", () => {
    const gains = [
      { costMs: 0.1, speedUp: 0.2 },
      { costMs: 1, speedUp: 0.5 },
      { costMs: 100, speedUp: 2 },
    ];
    assert.ok(Math.abs((breakEvenMs(gains) ?? 0) - 10) < 1e-9);
  });

  it("is after the last loss, whatever was won before it", () => {
    const gains = [0.3, 1.2, 0.9, 1.1].map((speedUp, i) => ({ costMs: 10 ** i, speedUp }));
    const cost = breakEvenMs(gains) ?? 0;
    assert.ok(cost > 100 && cost < 1000);
  });

  it("is the cheapest cost if the pool never loses, and unknown if it loses at the dearest", () => {
    assert.equal(breakEvenMs([{ costMs: 3, speedUp: 1 }]), 3);
    assert.equal(breakEvenMs([{ costMs: 3, speedUp: 0.99 }]), undefined);
  });
});
