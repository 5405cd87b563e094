import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { runByHand } from "../../test/by-hand.ts";
import type { Parameter } from "../tournament/parameter.ts";
import type { HorizonResults, TournamentCandidate } from "../tournament/tournament.ts";
import { HorizonStudies, type HorizonStudiesOptions } from "./horizon-studies.ts";

const parameters: readonly Parameter[] = ["a", "b", "c"].map((name) => ({
  name,
  path: ["inner", name],
  domain: { kind: "range", min: 0, max: 10, decimals: 2 },
}));
const options: HorizonStudiesOptions<number> = {
  horizons: ["near", "far"],
  parameters,
  baseline: { near: { inner: { a: 5, b: 5, c: 5 }, note: "mine" }, far: { inner: { a: 4.123, b: 5, c: 5 } } },
  objective: {
    wanted: "lower",
    better: (value, best) => best === undefined || value < best,
    value: (value) => value,
  },
  method: "cma-es",
  trials: 121,
  window: 4,
  seed: 1,
};

/** Each horizon has its own best place. */
function judge({ configuration, horizons }: TournamentCandidate): HorizonResults<number> {
  const { a, b, c } = configuration.inner as { a: number; b: number; c: number };
  return Object.fromEntries(
    horizons.map((horizon, h) => [horizon, 1 + (a - 3 - 4 * h) ** 2 + (b - 6) ** 2 + (c - 4) ** 2]),
  );
}

const tuned = (more: Partial<HorizonStudiesOptions<number>> = {}) =>
  runByHand(new HorizonStudies<number>({ ...options, ...more }), judge);

describe("studies of several horizons", () => {
  it("begins with every baseline as it is, goes on from the one that suits a horizon best, and keeps what it does not know", () => {
    const { candidates } = tuned();
    assert.deepEqual(
      candidates.slice(0, 2).map(({ configuration }) => configuration),
      [options.baseline.near, options.baseline.far],
    );
    assert.equal(candidates.length, 121);
    for (const { configuration } of candidates) assert.equal(typeof configuration.inner, "object");
    // The baseline of the one suits the other better.
    const mine = candidates.filter(({ configuration }) => configuration.note === "mine").length;
    assert.ok(Math.abs(mine - 60.5) < 1, String(mine));
    assert.equal(tuned().result.configurations.far.note, "mine");
  });

  it("has for each horizon the best that anybody tried, the same every time", () => {
    const { result, candidates } = tuned();
    for (const horizon of options.horizons) {
      const all = candidates.map((candidate) => judge(candidate)[horizon]);
      assert.equal(result.best[horizon].result, Math.min(...all));
      assert.deepEqual(result.configurations[horizon], candidates[all.indexOf(Math.min(...all))].configuration);
      assert.ok(result.best[horizon].result < 3, `${horizon} ${result.best[horizon].result}`);
    }
    assert.deepEqual(
      result.trials?.map(({ configuration, objective }) => ({ configuration, objective })),
      candidates.map((candidate) => ({ configuration: candidate.configuration, objective: judge(candidate) })),
    );
    assert.deepEqual(tuned().result, result);
  });

  it("goes on by steps from what another horizon's search has found, and asks nothing twice", () => {
    // What is good for the one is as good for the other, whose own baseline is far from it.
    const alike = ({ configuration, horizons }: TournamentCandidate) => {
      const { near } = judge({ configuration, horizons });
      return { near, far: near };
    };
    const search = new HorizonStudies<number>({ ...options, method: "steps", window: 1 });
    const { result, keys } = runByHand(search, alike);
    assert.equal(new Set(keys).size, 121);
    assert.deepEqual(result.configurations.far, result.configurations.near);
    assert.ok(result.best.near.result < 1.3, `${result.best.near.result}`);
  });

  it("leaves in the end what makes no difference as it was in the baseline, or out where it was not there", () => {
    const idle = ["idle", "absent"].map((name): Parameter => ({ ...parameters[0], name, path: ["aside", name] }));
    const baseline = { inner: { a: 5, b: 5, c: 5 }, aside: { idle: 2.345 } };
    const { result, candidates } = tuned({
      method: "steps",
      parameters: [...parameters, ...idle],
      baseline: { near: baseline, far: { inner: baseline.inner } },
      trials: 400,
    });
    assert.ok(candidates.some(({ configuration }) => JSON.stringify(configuration.aside)?.includes("absent")));
    for (const horizon of options.horizons) {
      const { aside, inner } = result.configurations[horizon];
      // Both baselines are worth the same, so either horizon begins at the first.
      assert.deepEqual(aside, baseline.aside, horizon);
      assert.notDeepEqual(inner, baseline.inner);
      const all = candidates.map((candidate) => judge(candidate)[horizon]);
      assert.equal(result.best[horizon].result, Math.min(...all));
    }
  });

  it("takes nothing that does not pay for its way from the baseline", () => {
    const winner = (regularize: number) => tuned({ method: "steps", regularize }).result.configurations.near;
    // Of the two baselines the other one suits it better.
    assert.deepEqual(winner(1e9), options.baseline.far);
    assert.notDeepEqual(winner(0), options.baseline.far);
  });

  it("asks nearer to the baseline the more that is charged", () => {
    const strayed = (regularize: number) => {
      const late = tuned({ regularize, trials: 200 }).candidates.slice(-20);
      const ways = late.map(({ configuration }) => Math.abs((configuration.inner as { a: number }).a - 5));
      return ways.reduce((sum, way) => sum + way, 0) / ways.length;
    };
    assert.ok(strayed(0) > 1.5, `${strayed(0)}`);
    assert.ok(strayed(1000) < 1, `${strayed(1000)}`);
  });
});
