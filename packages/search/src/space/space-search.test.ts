import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { Configuration, Parameter } from "../tournament/parameter.ts";
import { type SpaceOptions, spaceSearch } from "./space-search.ts";

const x: Parameter = { name: "x", path: ["at", "x"], domain: { kind: "range", min: -5, max: 5, decimals: 3 } };
const y: Parameter = { name: "y", path: ["at", "y"], domain: { kind: "range", min: -5, max: 5, decimals: 3 } };
const level: Parameter = { name: "level", path: ["level"], domain: { kind: "range", min: 1, max: 3, decimals: 0 } };
const way: Parameter = { name: "way", path: ["way"], domain: { kind: "choice", values: ["a", "b"] } };

/** Asks as far as it may before each answer, as the engine does. */
function searched(options: SpaceOptions, value: (point: Configuration) => unknown) {
  const search = spaceSearch(options);
  const out: Configuration[] = [];
  const points: Configuration[] = [];
  for (;;) {
    const proposal = search.ask();
    if (proposal.kind === "done") return { points, result: search.result() };
    if (proposal.kind === "candidate") {
      out.push(proposal.candidate);
      points.push(proposal.candidate);
    } else {
      const outcome = value(out.shift() ?? {});
      if (outcome === undefined) search.tell({ ok: false, failure: { type: "No", message: "no" } }, 0);
      else search.tell({ ok: true, value: outcome as number }, 0);
    }
  }
}

describe("a search of a small space", () => {
  it("tries every point once when there are few enough, and keeps the first of equal ones", () => {
    const options = { parameters: [level, way], objective: "maximize", evaluations: 6, seed: 1 } as const;
    const { points, result } = searched(options, ({ way }) => (way === "b" ? 1 : 0));
    assert.deepEqual(
      points.map(({ level, way }) => `${level}${way}`),
      ["1a", "1b", "2a", "2b", "3a", "3b"],
    );
    assert.deepEqual(result, { best: { point: { level: 1, way: "b" }, value: 1 }, evaluations: 6, failed: 0 });
  });

  it("closes in on the best of a space that is too large for that, inside its bounds, the same for a seed", () => {
    const options = { parameters: [x, y, way], objective: "minimize", evaluations: 400, seed: 3 } as const;
    const bowl = (point: Configuration) => {
      const { x, y } = point.at as { x: number; y: number };
      assert.ok(Math.abs(x) <= 5 && Math.abs(y) <= 5);
      return (x - 4.9) ** 2 + (y + 1.5) ** 2 + (point.way === "b" ? 0 : 1);
    };
    const { points, result } = searched(options, bowl);
    assert.equal(points.length, 400);
    assert.ok(result.best !== null && result.best.value < 0.01, JSON.stringify(result.best));
    assert.deepEqual(searched(options, bowl).result, result);
    assert.notDeepEqual(searched({ ...options, seed: 4 }, bowl).points, points);
  });

  it("goes on past points without a value, and says when none had one", () => {
    const options = { parameters: [x, level], objective: "minimize", evaluations: 50, seed: 1 } as const;
    const { result } = searched(options, ({ level }) =>
      level === 2 ? Number(level) : level === 1 ? "two" : undefined,
    );
    assert.equal(result.best?.value, 2);
    assert.ok(result.failed > 0 && result.failed < 50);
    assert.deepEqual(searched(options, () => undefined).result, { best: null, evaluations: 50, failed: 50 });
  });
});
