import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { Outcome } from "@coppice/engine";
import { generated, type SearchGenerator } from "./generated-search.ts";

function* halving(from: number, to: number): SearchGenerator<number, number, number> {
  let [low, high] = [from, to];
  while (high - low > 1) {
    const points = [low + (high - low) / 3, high - (high - low) / 3];
    const [a, b] = yield points.map((candidate) => ({ candidate, key: String(candidate) }));
    if (a.ok && b.ok && a.value < b.value) high = points[1];
    else low = points[0];
  }
  return (low + high) / 2;
}

/** Answers in the order asked, as a driver does. */
function play<Result>(
  search: ReturnType<typeof generated<number, number, Result>>,
  value: (x: number) => number,
): Result {
  const out: number[] = [];
  for (let asks = 0; ; ) {
    const proposal = search.ask();
    if (proposal.kind === "done") return search.result();
    if (proposal.kind === "candidate") out.push(proposal.candidate);
    else {
      const outcome: Outcome<number> = { ok: true, value: value(out.shift() ?? Number.NaN) };
      search.tell(outcome, asks++);
    }
  }
}

describe("a search written as a generator", () => {
  it("yields batches, receives their outcomes and returns its result", () => {
    const found = play(
      generated(() => halving(0, 100)),
      (x) => (x - 37) ** 2,
    );
    assert.ok(Math.abs(found - 37) < 1, `${found}`);
  });

  it("may yield one candidate, or none", () => {
    const one = play(
      generated(function* () {
        const nothing = yield [];
        const [outcome] = yield { candidate: 3, key: "3" };
        return [nothing.length, outcome.ok ? outcome.value : undefined];
      }),
      (x) => 2 * x,
    );
    assert.deepEqual(one, [0, 6]);
  });
});
