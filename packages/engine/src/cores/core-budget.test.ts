import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { availableParallelism, platform } from "node:os";
import { describe, it } from "node:test";
import fc from "fast-check";
import { availableCores, CoreBudget, type WorkerRequest } from "./core-budget.ts";

const affinityCommand = "taskset";

/** What a level of nested pools asks for, and what each of its workers asks for below. */
interface RequestTree {
  readonly request: WorkerRequest;
  readonly items: number | undefined;
  readonly below: readonly RequestTree[];
}

const request = fc.oneof(fc.constant<WorkerRequest>("auto"), fc.integer({ min: 1, max: 200 }));
const items = fc.option(fc.nat(100), { nil: undefined });
const { tree } = fc.letrec<{ tree: RequestTree }>((tie) => ({
  tree: fc.record({
    request,
    items,
    below: fc.oneof(
      { depthSize: "small", withCrossShrink: true },
      fc.constant([]),
      fc.array(tie("tree"), { minLength: 1, maxLength: 4 }),
    ),
  }),
}));

/** Runs the requests down the tree and lists the workers of each innermost pool. */
function leaves(budget: CoreBudget, level: RequestTree): number[] {
  if (level.below.length === 0) return [budget.grant(level.request, level.items).workers];
  const split = budget.split(level.request, level.items);
  return split.inner.flatMap((inner, i) => leaves(inner, level.below[i % level.below.length]));
}

describe("nested pools", () => {
  it("never add up to more than the cores, and every level gets at least one", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 128 }), tree, (cores, requests) => {
        const granted = leaves(new CoreBudget({ cores }), requests);
        const sum = granted.reduce((total, workers) => total + workers, 0);
        assert.ok(sum <= cores, `${sum} workers on ${cores} cores`);
        assert.ok(granted.every((workers) => Number.isSafeInteger(workers) && workers >= 1));
      }),
      { numRuns: 1000 },
    );
  });

  it("use every core when each level asks for as many as possible", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 128 }), fc.integer({ min: 1, max: 128 }), (cores, outer) => {
        const split = new CoreBudget({ cores }).split(outer);
        assert.equal(
          split.inner.reduce((total, inner) => total + inner.grant("auto").workers, 0),
          cores,
        );
        const sizes = split.inner.map((inner) => inner.cores);
        assert.ok(Math.max(...sizes) - Math.min(...sizes) <= 1);
      }),
    );
  });

  it("get exactly what they ask for, and at least one core each, when the user oversubscribes", () => {
    const budget = new CoreBudget({ cores: 4, oversubscribe: true });
    const split = budget.split(6);
    assert.equal(split.workers, 6);
    assert.equal(split.notice, undefined);
    assert.deepEqual(
      split.inner.map((inner) => inner.grant(8).workers),
      [8, 8, 8, 8, 8, 8],
    );
    assert.deepEqual(
      split.inner.map((inner) => inner.grant("auto").workers),
      [1, 1, 1, 1, 1, 1],
    );
  });

  it("divide eight cores into three trees as 3, 3 and 2", () => {
    const split = new CoreBudget({ cores: 8 }).split(3);
    assert.deepEqual(
      split.inner.map((inner) => inner.cores),
      [3, 3, 2],
    );
  });
});

describe("a request", () => {
  it("says so when it was scaled down, and is silent otherwise", () => {
    const budget = new CoreBudget({ cores: 4 });
    assert.deepEqual(budget.grant(16), {
      workers: 4,
      notice: "asked for 16 workers, using 4: 4 cores are free here",
    });
    assert.equal(new CoreBudget({ cores: 1 }).split(2).notice, "asked for 2 workers, using 1: 1 core is free here");
    assert.deepEqual(budget.grant(4), { workers: 4, notice: undefined });
    assert.deepEqual(budget.grant("auto"), { workers: 4, notice: undefined });
  });

  it("takes no more workers than there are items, and one when there are none", () => {
    const budget = new CoreBudget({ cores: 4 });
    assert.equal(budget.grant("auto", 2).workers, 2);
    assert.equal(budget.grant(16, 3).notice, undefined);
    assert.equal(budget.grant("auto", 0).workers, 1);
  });

  it("is refused in one clear line unless it is auto or a whole number of at least 1", () => {
    for (const wrong of [0, -1, 1.5, Number.NaN, Number.POSITIVE_INFINITY]) {
      assert.throws(
        () => new CoreBudget({ cores: 2 }).grant(wrong),
        /^RangeError: workers is "auto" or a whole number/,
      );
      assert.throws(() => new CoreBudget({ cores: wrong }), /^RangeError: cores is "auto" or a whole number/);
    }
  });
});

describe("available cores", () => {
  it("are what Node reports, from a libuv that knows about cgroup quotas", () => {
    assert.equal(availableCores(), availableParallelism());
    assert.equal(new CoreBudget().cores, availableParallelism());
    // libuv reads the cgroup's CPU quota since 1.49; Node 24 has a later one.
    const [major, minor] = process.versions.uv.split(".").map(Number);
    assert.ok(major > 1 || minor >= 49, `libuv ${process.versions.uv}`);
  });

  it("shrink with the CPU affinity of the process", { skip: !hasTaskset() && "needs taskset" }, () => {
    const module = JSON.stringify(new URL("core-budget.ts", import.meta.url).href);
    const program = `import { availableCores } from ${module}; console.log(availableCores());`;
    const cpu =
      execFileSync(affinityCommand, ["-cp", String(process.pid)], { encoding: "utf8" }).match(/: (\d+)/)?.[1] ?? "0";
    const printed = execFileSync(affinityCommand, ["-c", cpu, process.execPath, "--input-type=module", "-e", program]);
    assert.equal(printed.toString().trim(), "1");
  });
});

function hasTaskset(): boolean {
  if (platform() !== "linux") return false;
  try {
    execFileSync(affinityCommand, ["--version"], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}
