import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { type Verdict, verdicts } from "../../replies/reply.ts";
import { type Convergence, convergence, type Vote } from "./convergence.ts";

const rule = { threshold: 0.7, abstain: "counts" } as const;
const vote = (verdict: Verdict | null, confidence: number, conviction: number): Vote => ({
  verdict,
  confidence,
  conviction,
});

interface Row {
  readonly name: string;
  readonly votes: readonly Vote[];
  readonly expected: Partial<Convergence>;
  readonly pending?: number;
  readonly abstain?: "counts" | "ignored";
  readonly threshold?: number;
}

const table: readonly Row[] = [
  {
    name: "C-01: weight is confidence times conviction",
    votes: [vote("PROCEED", 90, 90), vote("STOP", 90, 10)],
    expected: { verdict: "PROCEED", ratio: 0.81 / (0.81 + 0.09), byHeads: false, converged: true },
  },
  {
    name: "C-01: one convinced voice outweighs two that do not care",
    votes: [vote("PROCEED", 100, 20), vote("PROCEED", 100, 20), vote("STOP", 100, 100)],
    expected: { verdict: "STOP", ratio: 1 / 1.4, converged: true },
  },
  {
    name: "C-01: heads are counted when every weight is zero",
    votes: [vote("STOP", 0, 100), vote("PROCEED", 0, 90), vote("STOP", 90, 0), vote("STOP", 0, 50)],
    expected: { verdict: "STOP", ratio: 0.75, byHeads: true, converged: true },
  },
  {
    name: "C-01: abstaining is a verdict like any other",
    votes: [vote("ABSTAIN", 50, 50), vote("PROCEED", 50, 50), vote("PROCEED", 50, 50)],
    expected: { verdict: "PROCEED", ratio: 2 / 3, converged: false },
  },
  {
    name: "C-01: abstentions can be left out of the count",
    votes: [vote("ABSTAIN", 100, 100), vote("PROCEED", 50, 50)],
    abstain: "ignored",
    expected: { verdict: "PROCEED", ratio: 1, converged: true },
  },
  {
    name: "C-01: when all abstain and abstentions are left out, there is no verdict",
    votes: [vote("ABSTAIN", 100, 100), vote("ABSTAIN", 50, 70)],
    abstain: "ignored",
    expected: { verdict: null, ratio: 0, converged: false },
  },
  {
    name: "C-01: of equals, the persona configured first decides",
    votes: [vote("STOP", 80, 80), vote("PROCEED", 80, 80)],
    expected: { verdict: "STOP", ratio: 0.5, converged: false },
  },
  {
    name: "C-01: equals by heads are decided the same way",
    votes: [vote("PROCEED", 0, 80), vote("STOP", 0, 80)],
    expected: { verdict: "PROCEED", ratio: 0.5, byHeads: true },
  },
  {
    name: "C-01: a reply without a verdict weighs nothing but its conviction is averaged",
    votes: [vote(null, 100, 0), vote("PROCEED", 80, 100)],
    expected: { verdict: "PROCEED", ratio: 1, averageConviction: 50, stalemate: false, converged: true },
  },
  {
    name: "C-01: nobody there is no verdict, and no division by zero",
    votes: [],
    expected: { verdict: null, ratio: 0, averageConviction: 0, stalemate: false, converged: false },
  },
  {
    name: "C-02: anything pending keeps the council together",
    votes: [vote("PROCEED", 90, 90)],
    pending: 1,
    expected: { ratio: 1, converged: false },
  },
  {
    name: "C-03: divided and not convinced is a stalemate",
    votes: [vote("PROCEED", 80, 50), vote("STOP", 80, 50)],
    expected: { stalemate: true, converged: false, verdict: "PROCEED" },
  },
  {
    name: "C-03: divided but convinced is not",
    votes: [vote("PROCEED", 80, 60), vote("STOP", 80, 60)],
    expected: { stalemate: false },
  },
  {
    name: "C-03: a ratio of exactly 0.6 is no stalemate",
    votes: [vote("PROCEED", 60, 50), vote("STOP", 40, 50)],
    expected: { ratio: 0.6, stalemate: false },
  },
  {
    name: "C-17: exactly the threshold converges",
    votes: [vote("PROCEED", 70, 100), vote("STOP", 30, 100)],
    expected: { ratio: 0.7, converged: true },
  },
  {
    name: "C-17: the threshold missed by rounding alone converges (0.1 + 0.2 and friends)",
    votes: [vote("PROCEED", 10, 100), vote("PROCEED", 20, 100), vote("STOP", 10, 100), vote("ABSTAIN", 10, 100)],
    threshold: 0.6,
    expected: { converged: true },
  },
  {
    name: "C-17: a thousandth below the threshold does not",
    votes: [vote("PROCEED", 69.9, 100), vote("STOP", 30.1, 100)],
    expected: { converged: false },
  },
];

for (const { name, votes, expected, pending = 0, abstain = "counts", threshold = 0.7 } of table) {
  test(name, () => {
    const found = convergence(votes, pending, { threshold, abstain });
    for (const [field, value] of Object.entries(expected)) {
      const actual = found[field as keyof Convergence];
      if (typeof value === "number")
        assert.ok(Math.abs(Number(actual) - value) < 1e-9, `${field}: ${actual} ≠ ${value}`);
      else assert.equal(actual, value, field);
    }
  });
}

const someVotes = fc.array(
  fc.record({
    verdict: fc.option(fc.constantFrom(...verdicts)),
    confidence: fc.integer({ min: 0, max: 100 }),
    conviction: fc.integer({ min: 0, max: 100 }),
  }),
  { maxLength: 12 },
);

test("C-01: the ratio is a share, and the leading verdict is one that was given", () => {
  fc.assert(
    fc.property(someVotes, (votes) => {
      const { verdict, ratio } = convergence(votes, 0, rule);
      assert.ok(ratio >= 0 && ratio <= 1 + 1e-12);
      assert.equal(
        verdict === null,
        votes.every((each) => each.verdict === null),
      );
      assert.ok(verdict === null || votes.some((each) => each.verdict === verdict));
    }),
  );
});

test("C-04: the order of votes decides nothing but ties", () => {
  fc.assert(
    fc.property(someVotes, fc.nat(), (votes, turn) => {
      const turned = votes.map((_, i) => votes[(i + turn) % votes.length] as Vote);
      const [before, after] = [convergence(votes, 0, rule), convergence(turned, 0, rule)];
      assert.ok(Math.abs(before.ratio - after.ratio) < 1e-9);
      assert.equal(before.converged, after.converged);
    }),
  );
});
