import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { Outcome } from "@coppice/engine";
import fc from "fast-check";
import { Mcts } from "./mcts.ts";
import type { MctsOptions } from "./mcts-options.ts";
import type { Problem } from "./problem.ts";

/** Steps of 1 to 3 until a sum of 12; different orders meet in the same sum and number of steps. */
const sums: Problem<readonly [sum: number, steps: number], number> = {
  root: [0, 0],
  actions: () => [1, 2, 3],
  step: ([sum, steps], add) => [sum + add, steps + 1],
  isTerminal: ([sum]) => sum >= 12,
  key: (state) => state.join("/"),
  prior: (_, actions) => actions.map((add) => add / 3),
};
type Sum = typeof sums.root;

const bumpy = ([sum, steps]: Sum): number => Math.sin(sum * 3.7 + steps * 1.3) + (sum === 12 ? 1 : 0);

interface Told {
  readonly key: string;
  readonly outcome: Outcome<number>;
}

/** Lets `out` asks be unanswered and answers in ask order, as the engine does. */
function drive(
  search: Mcts<Sum, number>,
  value: (state: Sum) => number | undefined,
  onTell: () => void = () => {},
): Told[] {
  const told: Told[] = [];
  const open: { state: Sum; key: string; ask: number }[] = [];
  for (let asks = 0; ; ) {
    const proposal = search.ask();
    if (proposal.kind === "candidate") {
      assert.ok(!open.some(({ key }) => key === proposal.key), "one in-flight evaluation per key");
      open.push({ state: proposal.candidate, key: proposal.key, ask: asks++ });
      continue;
    }
    const first = open.shift();
    if (first === undefined) {
      assert.equal(proposal.kind, "done");
      return told;
    }
    const reply = value(first.state);
    const outcome: Outcome<number> =
      reply === undefined ? { ok: false, failure: { type: "Error", message: "no" } } : { ok: true, value: reply };
    told.push({ key: first.key, outcome });
    search.tell(outcome, first.ask);
    onTell();
  }
}

const tree = (over: Partial<MctsOptions> & Pick<MctsOptions, "budget">) => new Mcts(sums, over);
const variations = fc.record({
  seed: fc.nat(),
  window: fc.integer({ min: 1, max: 20 }),
  exploration: fc.double({ min: 0, max: 4, noNaN: true }),
  playout: fc.constantFrom("none" as const, "prior" as const),
  backup: fc.constantFrom("mean" as const, "best" as const),
  normalise: fc.constantFrom("minmax" as const, "none" as const),
  goal: fc.constantFrom("maximise" as const, "minimise" as const),
  widening: fc.constantFrom(undefined, { base: 1, factor: 1, exponent: 0.5 }),
  noise: fc.constantFrom(undefined, { share: 0.25, concentration: 0.3 }),
});
const given = ({ widening, noise, ...rest }: typeof variations extends fc.Arbitrary<infer V> ? V : never) => ({
  ...rest,
  ...(widening === undefined ? {} : { widening }),
  ...(noise === undefined ? {} : { noise }),
});

describe("tree search", () => {
  it("F-13: once drained, visits and totals of every edge are those of the true values", () => {
    fc.assert(
      fc.property(variations, fc.integer({ min: 1, max: 120 }), (options, simulations) => {
        const search = tree({ ...given(options), budget: { simulations } });
        drive(search, bumpy);
        const edges = search.statistics();
        const { simulations: done } = search.result();
        assert.equal(done, simulations);
        for (const { pending, visits, total } of edges) {
          assert.equal(pending, 0);
          assert.ok(Math.abs(total) <= 2 * visits + 1e-9, "no stand-in value is part of a total");
        }
        if (options.playout === "none") {
          // Below an edge each visit either ended at its child, with the child's own value, or went on.
          const below = new Map<string, { visits: number; total: number }>();
          for (const { from, visits, total } of edges) {
            const sum = below.get(from) ?? { visits: 0, total: 0 };
            below.set(from, { visits: sum.visits + visits, total: sum.total + total });
          }
          const into = new Map<string, { state: Sum; visits: number; total: number }>();
          for (const { from, action, visits, total } of edges) {
            const [sum, steps] = from.split("/").map(Number);
            const state = sums.step([sum, steps], action);
            const known = into.get(sums.key(state)) ?? { state, visits: 0, total: 0 };
            into.set(sums.key(state), { state, visits: known.visits + visits, total: known.total + total });
          }
          for (const [key, { state, visits, total }] of into) {
            const on = below.get(key) ?? { visits: 0, total: 0 };
            const ended = visits - on.visits;
            assert.ok(Math.abs(total - on.total - ended * bumpy(state)) < 1e-6, `values at ${key}`);
          }
        }
      }),
      { numRuns: 60 },
    );
  });

  it("F-14: asks for one evaluation per key, however many wait for it", () => {
    fc.assert(
      fc.property(variations, (options) => {
        const search = tree({ ...given(options), budget: { simulations: 150 } });
        const told = drive(search, bumpy);
        assert.equal(new Set(told.map(({ key }) => key)).size, told.length);
        assert.ok(told.length < 150, "some states are reached in two ways");
      }),
      { numRuns: 30 },
    );
  });

  it("F-15: finished and pending evaluations together never exceed the limit", () => {
    fc.assert(
      fc.property(variations, fc.integer({ min: 1, max: 15 }), (options, evaluations) => {
        const search = tree({ ...given(options), budget: { evaluations } });
        const told = drive(search, bumpy).length;
        assert.ok(told <= evaluations);
        assert.equal(search.result().stopped, told === evaluations ? "evaluations" : "idle");
        // Playouts may meet the same ends again and again; a tree that explores finds new leaves.
        if (options.exploration >= 1 && options.playout !== "prior") assert.equal(told, evaluations);
      }),
      { numRuns: 30 },
    );
  });

  it("F-16: a pending or failed evaluation is never the best, whenever it is looked at", () => {
    fc.assert(
      fc.property(variations, fc.integer({ min: 2, max: 5 }), (options, everyNth) => {
        const value = (state: Sum) => ((state[0] * 7 + state[1]) % everyNth === 0 ? undefined : bumpy(state));
        const search = tree({ ...given(options), budget: { simulations: 100 } });
        const told = drive(search, value, () => {
          const { best } = search.result();
          if (best !== undefined) assert.equal(best.value, value(best.state));
        });
        const values = told.flatMap(({ outcome }) => (outcome.ok ? [outcome.value] : []));
        const extreme = options.goal === "maximise" ? Math.max(...values) : Math.min(...values);
        assert.equal(search.result().best?.value, values.length === 0 ? undefined : extreme);
      }),
      { numRuns: 40 },
    );
  });

  it("finds the best of a small tree and the way to it", () => {
    const search = tree({ budget: { simulations: 2000 }, window: 4 });
    drive(search, bumpy);
    const { best, stopped } = search.result();
    assert.ok(best !== undefined);
    assert.equal(stopped, "simulations");
    assert.deepEqual(
      best.actions.reduce<Sum>((state, add) => sums.step(state, add), sums.root),
      best.state,
    );
    let highest = Number.NEGATIVE_INFINITY;
    for (let sum = 0; sum <= 14; sum++) {
      for (let steps = Math.ceil(sum / 3); steps <= Math.min(sum, 12); steps++) {
        if (sum > 12 && steps === sum) continue;
        highest = Math.max(highest, bumpy([sum, steps]));
      }
    }
    assert.ok(best.value >= highest - 0.1, `${best.value} of ${highest}`);
  });

  it("opens likely actions first and others as visits grow", () => {
    const search = tree({ budget: { simulations: 2 }, window: 1, widening: { base: 1, factor: 1, exponent: 0.5 } });
    drive(search, bumpy);
    assert.deepEqual(search.statistics()[0].action, 3);
    const wider = tree({ budget: { simulations: 40 }, window: 1, widening: { base: 1, factor: 1, exponent: 0.5 } });
    drive(wider, bumpy);
    assert.deepEqual(
      wider
        .statistics()
        .filter(({ from }) => from === "0/0")
        .map(({ action }) => action),
      [3, 2, 1],
    );
  });

  it("spreads a window of leaves instead of asking for one path again and again", () => {
    const search = tree({ budget: { simulations: 100 }, window: 8 });
    const root = search.ask();
    assert.ok(root.kind === "candidate");
    assert.equal(search.ask().kind, "wait");
    search.tell({ ok: true, value: 0 }, 0);
    const keys = new Set<string>();
    for (let proposal = search.ask(); proposal.kind === "candidate"; proposal = search.ask()) keys.add(proposal.key);
    assert.deepEqual([...keys].sort(), ["1/1", "2/1", "3/1"]);
  });

  it("keeps what it learned when its root moves on", () => {
    const search = tree({ budget: { simulations: 300 }, window: 1 });
    for (let ask = 0; ask < 25; ask++) {
      const proposal = search.ask();
      if (proposal.kind !== "candidate") break;
      search.tell({ ok: true, value: bumpy(proposal.candidate) }, ask);
    }
    const before = search.result();
    assert.ok(search.advance("best"));
    assert.equal(search.result().nodes, before.nodes);
    assert.equal(search.result().bestValued.length >= 1, true);
    assert.equal(search.result().best?.value, before.best?.value);
  });

  it("F-16: goes on below no state whose evaluation failed, whichever way it comes there", () => {
    fc.assert(
      fc.property(variations, fc.integer({ min: 2, max: 5 }), (options, everyNth) => {
        const failed = ([sum, steps]: Sum) => (sum * 7 + steps) % everyNth === 1;
        const value = (state: Sum) => (failed(state) ? undefined : bumpy(state));
        const search = tree({ ...given(options), playout: "none", budget: { simulations: 150 } });
        const good = new Set<string>();
        for (const { key, outcome } of drive(search, value)) {
          const [sum, steps] = key.split("/").map(Number);
          const parents = [1, 2, 3].map((add) => `${sum - add}/${steps - 1}`);
          assert.ok(key === "0/0" || parents.some((parent) => good.has(parent)), `${key} lies behind failures only`);
          if (outcome.ok) good.add(key);
        }
      }),
      { numRuns: 60 },
    );
  });

  it("F-16: a value that is no finite number counts as a failure", () => {
    for (const odd of [Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]) {
      for (const goal of ["maximise", "minimise"] as const) {
        const search = tree({ goal, budget: { evaluations: 40 } });
        drive(search, (state) => (state[1] === 2 ? odd : bumpy(state)));
        assert.ok(Number.isFinite(search.result().best?.value));
        for (const { total } of search.statistics()) assert.ok(Number.isFinite(total));
      }
    }
  });

  it("ends when every evaluation fails", () => {
    const search = tree({ budget: { evaluations: 50 } });
    const actions = sums.actions(sums.root).length;
    assert.equal(drive(search, () => undefined).length, 1 + actions, "the root and what is below it");
    assert.deepEqual([search.result().best, search.result().stopped], [undefined, "exhausted"]);
  });

  it("goes on below a root whose own evaluation failed", () => {
    const search = tree({ budget: { evaluations: 30 } });
    drive(search, (state) => (state[1] === 0 ? undefined : bumpy(state)));
    assert.ok(search.result().best !== undefined);
    assert.equal(search.result().stopped, "evaluations");
  });

  it("says idle, not exhausted, when it only walks known ways; the limit is an option", () => {
    const once = new Mcts({ ...sums, isTerminal: () => true }, { window: 1, budget: { evaluations: 5, idle: 7 } });
    drive(once, bumpy);
    const { stopped, simulations } = once.result();
    assert.deepEqual([stopped, simulations], ["idle", 8]);
  });

  it("refuses a game of two by name", () => {
    assert.throws(() => new Mcts({ ...sums, players: 2 }, { budget: { evaluations: 1 } }), /a game of 2 players/);
  });

  it("known ends are seen once: every end is evaluated, each once, and then nothing is left to try", () => {
    const ends = new Map<string, number>();
    const explore = (state: Sum): void => {
      if (sums.isTerminal(state)) ends.set(sums.key(state), bumpy(state));
      else for (const action of sums.actions(state)) explore(sums.step(state, action));
    };
    explore(sums.root);
    fc.assert(
      fc.property(variations, fc.double({ min: 0, max: 1, noNaN: true }), fc.nat(), (options, shaping, salt) => {
        const potential = ([sum, steps]: Sum) => Math.sin(salt + 7 * sum + steps);
        const search = new Mcts(
          { ...sums, potential },
          { ...given(options), playout: "prior", knownEnds: "once", shaping, budget: { evaluations: 10_000 } },
        );
        const told = drive(search, bumpy).map(({ key }) => key);
        assert.deepEqual(told.toSorted(), [...ends.keys()].sort());
        const { best, stopped, simulations } = search.result();
        assert.equal(stopped, "exhausted");
        // No edge to an end is taken twice, except while its outcome is out: no more simulations than a few per edge and node.
        assert.ok(simulations <= 800, `${simulations} simulations for ${told.length} ends`);
        const values = [...ends.values()];
        assert.equal(best?.value, options.goal === "maximise" ? Math.max(...values) : Math.min(...values));
      }),
      { numRuns: 40 },
    );
  });

  it("shaping says where to begin and is part of no value", () => {
    const flat = { ...sums, prior: () => [0, 0, 0] };
    const towards = (wanted: number) => ({ ...flat, potential: ([sum]: Sum) => (sum === wanted ? 1 : 0) });
    const firstOf = (problem: typeof flat, shaping: number) => {
      const search = new Mcts(problem, { window: 1, shaping, budget: { simulations: 2 } });
      drive(search, bumpy);
      return search.statistics().find(({ visits }) => visits > 0)?.action;
    };
    assert.deepEqual(
      [1, 2, 3].map((wanted) => firstOf(towards(wanted), 0.1)),
      [1, 2, 3],
    );
    assert.deepEqual(
      [1, 2, 3].map((wanted) => firstOf(towards(wanted), 0)),
      [1, 1, 1],
    );
    const shaped = new Mcts(towards(3), { shaping: 0.1, playout: "prior", budget: { simulations: 200 } });
    const values = drive(shaped, bumpy).map(({ outcome }) => (outcome.ok ? outcome.value : Number.NaN));
    for (const { visits, total } of shaped.statistics()) {
      if (visits === 0) continue;
      const mean = total / visits;
      assert.ok(mean >= Math.min(...values) - 1e-9 && mean <= Math.max(...values) + 1e-9, "a mean of true values");
    }
    assert.equal(shaped.result().best?.value, Math.max(...values));
  });

  it("refuses options that mean nothing", () => {
    assert.throws(() => tree({ budget: { simulations: 1 }, shaping: -1 }), /shaping must be at least 0, not -1/);
    assert.throws(() => tree({ budget: {} }), /a budget needs simulations, evaluations or actions/);
    assert.throws(() => tree({ budget: { simulations: 0 } }), /budget.simulations must be at least 1, not 0/);
    assert.throws(() => tree({ budget: { simulations: 1 }, window: 0 }), /window must be at least 1, not 0/);
    assert.throws(() => tree({ budget: { simulations: 1 }, temperature: 0 }), /temperature must be above 0, not 0/);
    assert.throws(
      () => tree({ budget: { simulations: 1 }, noise: { share: 2, concentration: 1 } }),
      /noise.share must be 0 to 1, not 2/,
    );
  });
});
