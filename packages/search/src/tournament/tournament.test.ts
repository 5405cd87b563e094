import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { runByHand } from "../../test/by-hand.ts";
import { drawnValues, givenValues } from "./candidate-values.ts";
import type { Configuration, Parameter } from "./parameter.ts";
import { type HorizonResults, Tournament, type TournamentOptions } from "./tournament.ts";

/** Lower is better; undefined never wins. */
const lowest = {
  better: (a: number, b: number | undefined) => Number.isFinite(a) && (b === undefined || a < b),
  value: (a: number) => a,
};
const parameters: readonly Parameter[] = [
  { name: "x", path: ["x"], domain: { kind: "range", min: -10, max: 10, decimals: 1 } },
  { name: "y", path: ["shape", "y"], domain: { kind: "range", min: 0, max: 9, decimals: 0 } },
];
const horizons = ["near", "far"];
const start: Configuration = { x: 9, shape: { y: 9, kept: "as is" } };
/** Each horizon has its best at another place. */
const target: Readonly<Record<string, readonly [number, number]>> = { near: [2, 1], far: [-5, 7] };

function distances({ configuration }: { readonly configuration: Configuration }): HorizonResults<number> {
  const x = configuration.x as number;
  const { y } = configuration.shape as { y: number };
  return Object.fromEntries(
    horizons.map((h) => [h, Math.abs(x - (target[h]?.[0] ?? 0)) + Math.abs(y - (target[h]?.[1] ?? 0))]),
  );
}

function options(change: Partial<TournamentOptions<number>> = {}): TournamentOptions<number> {
  return {
    horizons,
    parameters,
    baseline: { near: start, far: start },
    values: drawnValues(42, 20),
    objective: lowest,
    maxPasses: 10,
    ...change,
  };
}

describe("the tournament", () => {
  it("ends no worse than it started, on every horizon, whatever the seed", () => {
    fc.assert(
      fc.property(fc.integer(), fc.integer({ min: 0, max: 6 }), (seed, count) => {
        const { result } = runByHand(new Tournament(options({ values: drawnValues(seed, count) })), distances);
        const before = distances({ configuration: start });
        for (const horizon of horizons) {
          assert.ok((result.best[horizon]?.result ?? Number.POSITIVE_INFINITY) <= (before[horizon] ?? 0));
          const configuration = result.configurations[horizon] ?? assert.fail();
          assert.equal(distances({ configuration })[horizon], result.best[horizon]?.result);
        }
      }),
      { numRuns: 100, seed: 1 },
    );
  });

  it("keeps what it does not tune", () => {
    const { result } = runByHand(new Tournament(options()), distances);
    for (const { shape } of Object.values(result.configurations))
      assert.equal((shape as { kept: string }).kept, "as is");
  });

  it("A-14 asks for all configurations of a parameter before it waits, horizon by horizon, baseline first", () => {
    const tournament = new Tournament(options({ values: drawnValues(42, 3) }));
    const asked: Configuration[] = [];
    for (let i = 0; i < 8; i++) {
      const proposal = tournament.ask();
      assert.ok(proposal.kind === "candidate");
      asked.push(proposal.candidate.configuration);
    }
    assert.deepEqual(tournament.ask(), { kind: "wait" });
    assert.deepEqual([asked[0], asked[4]], [start, start]);
    assert.equal(new Set(asked.map(({ shape }) => shape)).size, horizons.length, "what is not tuned is shared");
  });

  it("A-15 records every (configuration, horizon) result with its parameter, value, test index and base horizon", () => {
    const { result, candidates } = runByHand(new Tournament(options({ maxPasses: 1 })), distances);
    const records = result.rounds.flatMap((round) =>
      round.entries.map((entry) => ({ ...entry, parameter: round.parameter })),
    );
    assert.equal(records.length, candidates.length);
    records.forEach((record, i) => {
      const configuration = candidates[i]?.configuration ?? assert.fail();
      assert.deepEqual(record.objective, distances({ configuration }));
      const value = record.parameter === "x" ? configuration.x : (configuration.shape as { y: number }).y;
      assert.equal(record.value, value);
      assert.deepEqual([record.horizon, record.testIndex], [horizons[Math.floor((i % 42) / 21)], i % 21]);
    });
  });

  it("A-16 tells of a new best with its horizon, objective and test index", () => {
    const tournament = new Tournament(options({ maxPasses: 1 }));
    runByHand(tournament, distances);
    const bests = tournament.news().filter((news) => news.kind === "best");
    assert.deepEqual(bests[0], {
      kind: "best",
      pass: 0,
      parameter: "x",
      forHorizon: "near",
      entry: { horizon: "near", testIndex: 0, value: 9 },
      objective: 15,
    });
    for (const horizon of horizons) {
      const values = bests.filter((news) => news.forHorizon === horizon).map((news) => news.objective ?? 0);
      assert.deepEqual(
        values,
        [...values].sort((a, b) => b - a),
        "each best is better than the one before",
      );
    }
  });

  it("calls a horizon better only when it has another configuration than before", () => {
    const tournament = new Tournament(options({ maxPasses: 1 }));
    runByHand(tournament, () => ({ near: 1, far: 1 }));
    const rounds = tournament.news().filter((news) => news.kind === "round");
    assert.deepEqual(
      rounds.map(({ adopted, says }) => [adopted, says]),
      [
        [[], "x: nothing better"],
        [[], "y: nothing better"],
      ],
    );
  });

  it("says what happened once, and knows where the horizons were after every round", () => {
    const tournament = new Tournament(options({ maxPasses: 2 }));
    const { result } = runByHand(tournament, distances);
    const rounds = tournament.news().filter((news) => news.kind === "round");
    assert.deepEqual(
      rounds.map(({ round, parameter, adopted, configurations }) => [round, parameter, adopted, configurations]),
      result.rounds.map((round, i) => [i, round.parameter, Object.keys(round.adopted), round.entries.length]),
    );
    assert.deepEqual(tournament.news(), []);
    const { best, configurations } = result;
    assert.deepEqual(tournament.bestsAfter(rounds.length - 1), { best, configurations });
    const first = tournament.bestsAfter(0);
    assert.ok(Object.values(first.best).every(({ parameter, pass }) => parameter === "x" && pass === 0));
    for (const horizon of horizons) assert.equal(first.configurations[horizon], first.best[horizon]?.configuration);
    assert.throws(() => tournament.bestsAfter(rounds.length), /round 4 is not over/);
  });

  it("ends in the middle of a round with the best it has seen and what was judged of the round", () => {
    const tournament = new Tournament(options());
    for (let ask = 0; ask < 30; ask++) {
      const proposal = tournament.ask();
      assert.ok(proposal.kind === "candidate");
      tournament.tell({ ok: true, value: distances(proposal.candidate) });
    }
    const { best, configurations, rounds } = tournament.result();
    assert.deepEqual(
      rounds.map(({ parameter, entries }) => [parameter, entries.length]),
      [["x", 30]],
    );
    for (const horizon of horizons) assert.equal(configurations[horizon], best[horizon]?.configuration);
  });

  it("A-17 keeps the earlier of equals, and bests of one horizon do not touch another's", () => {
    const flat = runByHand(new Tournament(options()), () => ({ near: 1, far: 1 })).result;
    for (const best of Object.values(flat.best)) {
      assert.deepEqual([best.pass, best.parameter, best.horizon, best.testIndex], [0, "x", "near", 0]);
    }
    const { result } = runByHand(new Tournament(options()), distances);
    assert.notDeepEqual(result.configurations.near, result.configurations.far);
  });

  it("A-17 lets nothing win that its objective refuses", () => {
    const { result } = runByHand(new Tournament(options()), () => ({ near: Number.NaN, far: 3 }));
    assert.equal(result.best.near, undefined);
    assert.deepEqual(result.configurations.near, start);
    assert.equal(result.best.far?.result, 3);
  });

  it("lets a horizon win with a configuration derived from another's baseline", () => {
    const baseline = { near: start, far: { x: 2, shape: { y: 1 } } };
    const { result } = runByHand(new Tournament(options({ baseline, values: drawnValues(1, 0) })), distances);
    assert.equal(result.best.near?.horizon, "far");
    assert.equal(result.best.near?.result, 0);
    assert.deepEqual(result.configurations.near, baseline.far);
  });

  it("A-18 starts each parameter from the bests of the one before", () => {
    const { result, candidates } = runByHand(new Tournament(options({ maxPasses: 1 })), distances);
    const [first] = result.rounds;
    for (const [h, horizon] of horizons.entries()) {
      const bestX = first?.entries.reduce((a, b) =>
        (b.objective[horizon] ?? 0) < (a.objective[horizon] ?? 0) ? b : a,
      );
      assert.equal(candidates[42 + 21 * h]?.configuration.x, bestX?.value);
    }
  });

  it("A-22 A-28 asks horizons × (test values + 1) configurations per parameter", () => {
    const five = ["ros", "a", "b", "c", "d"];
    const baseline = Object.fromEntries(five.map((h) => [h, start]));
    const one = runByHand(
      new Tournament(options({ horizons: five, baseline, parameters: parameters.slice(0, 1), maxPasses: 1 })),
      () => Object.fromEntries(five.map((h) => [h, 1])),
    );
    assert.equal(one.candidates.length, 105);
    assert.equal(one.result.rounds[0]?.entries.flatMap((entry) => Object.values(entry.objective)).length, 525);
  });

  it("repeats passes until one changes nothing, and says when the bound came first", () => {
    const converged = runByHand(new Tournament(options()), distances).result;
    assert.equal(converged.converged, true);
    const last = converged.rounds.filter((round) => round.pass === converged.passes - 1);
    assert.deepEqual(
      last.flatMap((round) => Object.keys(round.adopted)),
      [],
    );
    const bounded = runByHand(new Tournament(options({ maxPasses: 1 })), distances).result;
    assert.deepEqual([bounded.converged, bounded.passes], [false, 1]);
    const twice = runByHand(new Tournament(options()), () => ({ near: 1, far: 1 })).result;
    assert.deepEqual(
      [twice.converged, twice.passes],
      [true, 2],
      "the first result beats nothing, so two passes at least",
    );
  });

  it("A-19 A-21 counts the configurations of the current parameter, one by one, and ends complete", () => {
    const tournament = new Tournament(options({ values: drawnValues(42, 1), maxPasses: 1 }));
    const seen: string[] = [];
    runByHand(tournament, (candidate) => {
      seen.push((tournament.progress().levels ?? []).map(({ done, total }) => `${done}/${total}`).join(" "));
      return distances(candidate);
    });
    const configurations = ["0/4", "1/4", "2/4", "3/4"];
    assert.deepEqual(
      seen,
      ["0/2", "1/2"].flatMap((parameters) => configurations.map((each) => `${parameters} ${each}`)),
    );
    assert.deepEqual(tournament.progress().levels, [
      { name: "Parameters", done: 2, total: 2 },
      { name: "Configs", done: 4, total: 4 },
    ]);
  });

  it("freezes a horizon that found nothing in a pass, while its baseline still competes for the others", () => {
    let calls = 0;
    const { result } = runByHand(new Tournament(options({ maxPasses: 4 })), () => ({ near: -++calls, far: 1 }));
    const frozen = result.rounds.filter((round) => round.pass >= 2);
    assert.ok(frozen.length > 0);
    for (const round of frozen) {
      assert.equal(round.entries.length, 42);
      assert.ok(round.entries.every((entry) => entry.objective.far === null && entry.objective.near !== null));
    }
    assert.equal(result.converged, false);
  });

  it("goes on after a failure, and no failed configuration wins", () => {
    const tournament = new Tournament(options());
    const { result } = runByHand(tournament, (candidate, ask) => {
      if (ask % 3 === 0) throw new Error(`broken ${ask}`);
      return distances(candidate);
    });
    const failed = tournament.news().filter((news) => news.kind === "failed");
    assert.equal(failed[0]?.message, "broken 0");
    assert.ok((result.best.near?.result ?? 99) < 15);
    assert.equal(result.rounds[0]?.entries[0]?.objective.near, null);
  });

  it("asks for equal configurations by one key", () => {
    const { keys } = runByHand(new Tournament(options({ maxPasses: 1 })), distances);
    assert.equal(keys[0], keys[21], "both horizons start from the same baseline");
  });

  it("draws the same values for a parameter and horizon whatever else is tuned", () => {
    const values = drawnValues(42, 5);
    const [x, y] = parameters;
    assert.ok(x !== undefined && y !== undefined);
    const alone = values.of(y, "far", 1, 3);
    values.of(x, "near", 0, 3);
    assert.deepEqual(values.of(y, "far", 1, 3), alone);
    assert.notDeepEqual(values.of(y, "near", 1, 3), alone);
    assert.notDeepEqual(drawnValues(43, 5).of(y, "far", 1, 3), alone);
    assert.ok(alone.every((value) => Number.isInteger(value) && Number(value) >= 0 && Number(value) <= 9));
    assert.ok(values.of(x, "near", 0, 3).every((value) => Number(value) === Number(Number(value).toFixed(1))));
  });

  it("tests given values as they stand when they begin with the baseline's, else after it; the last pass repeats", () => {
    const values = givenValues([{ x: { near: [9, 1], far: [1, 2] } }, { x: { near: [5] } }]);
    const [x] = parameters;
    assert.ok(x !== undefined);
    assert.deepEqual(values.of(x, "near", 0, 9), [9, 1]);
    assert.deepEqual(values.of(x, "far", 0, 9), [9, 1, 2]);
    assert.deepEqual(values.of(x, "near", 7, 9), [9, 5]);
    assert.deepEqual(values.of(x, "far", 1, 9), [9]);
    const elsewhere = givenValues([{ x: { near: [99, 1, 2] } }]);
    assert.deepEqual(elsewhere.of(x, "near", 0, 9), [9, 1, 2], "a recorded baseline that is none of the domain's");
  });

  it("draws no -0, whose configuration would be another with the same numbers", () => {
    const domain = { kind: "range", min: -1, max: 1, decimals: 1 } as const;
    const drawn = drawnValues(1, 200).of({ name: "a", path: ["a"], domain }, "near", 0, 1);
    assert.ok(drawn.includes(0) && !drawn.some((value) => Object.is(value, -0)));
  });

  it("draws categorical values too", () => {
    const colour: Parameter = { name: "c", path: ["c"], domain: { kind: "choice", values: ["red", "green"] } };
    const { result } = runByHand(
      new Tournament(options({ parameters: [colour], baseline: { near: { c: "red" }, far: { c: "red" } } })),
      ({ configuration }) => ({ near: configuration.c === "green" ? 0 : 1, far: configuration.c === "red" ? 0 : 1 }),
    );
    assert.deepEqual(result.configurations, { near: { c: "green" }, far: { c: "red" } });
  });
});
