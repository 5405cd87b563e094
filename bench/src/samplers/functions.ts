import { random } from "@coppice/engine";
import {
  footballParameters,
  generateSeasons,
  HORIZONS,
  readConfiguration,
  STARTING_PARAMETERS,
} from "@coppice/projections";
import { buildColumns, ColumnEvaluator } from "@coppice/projections/columns";
import {
  type Configuration,
  choice,
  defineSpace,
  integer,
  real,
  type SearchSpace,
  valueAt,
  when,
  withValue,
} from "@coppice/search";
import { rosenbrock } from "./rosenbrock-entry.ts";

/** A function to be made small, and how low it goes. */
export interface TestFunction {
  readonly name: string;
  readonly space: SearchSpace;
  readonly lowest: number;
  readonly value: (point: Configuration) => number;
  /** What an evaluation sees instead, where that is not the value. */
  readonly seen?: (point: Configuration) => number;
}

type Vector = readonly number[];

/** A cube of real numbers from -5 to 5. */
function cube(dimensions: number): SearchSpace {
  return defineSpace(Object.fromEntries(Array.from({ length: dimensions }, (_, i) => [`x${i}`, real(-5, 5)])));
}

/** A function of a cube whose bottom lies away from the middle, at a place of its own. */
function onCube(name: string, dimensions: number, f: (x: Vector) => number): TestFunction {
  const draws = random(2026).at(name);
  const bottom = Array.from({ length: dimensions }, () => 6 * draws.uniform() - 3);
  return {
    name,
    space: cube(dimensions),
    lowest: 0,
    value: (point) => f(bottom.map((b, i) => Number(point[`x${i}`]) - b)),
  };
}

/** A rotation made of turns in every pair of neighbouring axes. */
function turned(x: Vector): Vector {
  const y = [...x];
  for (let i = 0; i + 1 < y.length; i++) {
    const angle = 0.7 + i;
    [y[i], y[i + 1]] = [
      Math.cos(angle) * y[i] - Math.sin(angle) * y[i + 1],
      Math.sin(angle) * y[i] + Math.cos(angle) * y[i + 1],
    ];
  }
  return y;
}

const sum = (numbers: Vector) => numbers.reduce((total, number) => total + number, 0);
const sphere = (x: Vector) => sum(x.map((v) => v * v));

const LAYERS = [1, 2, 3, 4, 5, 6];

const FOOTBALL_LOWEST = 5.149;

/** Twelve functions: separable and not, 2 to 20 dimensions, logarithmic, whole, chosen, conditional, noisy, a real model. */
export const FUNCTIONS: readonly TestFunction[] = [
  onCube("sphere 2", 2, sphere),
  onCube("sphere 20", 20, sphere),
  onCube("turned ellipsoid 10", 10, (x) => sum(turned(x).map((v, i) => 1000 ** (i / 9) * v * v))),
  onCube("Rosenbrock 5", 5, rosenbrock),
  onCube("Rastrigin 5", 5, (x) => sum(x.map((v) => 10 + v * v - 10 * Math.cos(2 * Math.PI * v)))),
  {
    name: "Branin 2",
    space: defineSpace({ a: real(-5, 10), b: real(0, 15) }),
    lowest: 0.397887,
    value: ({ a, b }) => {
      const [x, y] = [Number(a), Number(b)];
      const curve = y - (5.1 * x * x) / (4 * Math.PI ** 2) + (5 * x) / Math.PI - 6;
      return curve ** 2 + 10 * (1 - 1 / (8 * Math.PI)) * Math.cos(x) + 10;
    },
  },
  {
    name: "rates 3 (log)",
    space: defineSpace({
      rate: real(1e-6, 1, { log: true }),
      decay: real(1e-8, 0.1, { log: true }),
      part: real(0, 1),
    }),
    lowest: 0,
    value: ({ rate, decay, part }) => {
      const [r, d] = [Math.log10(Number(rate)) + 2.6, Math.log10(Number(decay)) + 4.3];
      return r * r + 0.3 * d * d + 0.4 * r * d + 4 * (Number(part) - 0.35) ** 2;
    },
  },
  {
    name: "whole numbers 6",
    space: defineSpace(Object.fromEntries(LAYERS.map((i) => [`n${i}`, integer(0, 20)]))),
    lowest: 0,
    value: (point) => sum(LAYERS.map((i) => i * Math.abs(Number(point[`n${i}`]) - ((7 * i) % 21)))),
  },
  {
    name: "choices 8",
    space: defineSpace({
      x: real(-5, 5),
      y: real(-5, 5),
      ...Object.fromEntries(LAYERS.map((i) => [`c${i}`, choice(["a", "b", "c", "d"])])),
    }),
    lowest: 0,
    value: (point) => {
      const wrong = LAYERS.filter((i) => point[`c${i}`] !== "abcd"[i % 4]).length;
      return (Number(point.x) - 1.3) ** 2 + (Number(point.y) + 2.1) ** 2 + 2 * wrong;
    },
  },
  {
    name: "conditional 5",
    space: defineSpace({
      kind: choice(["tree", "net"]),
      depth: when({ kind: "tree" }, integer(1, 30)),
      leaf: when({ kind: "tree" }, real(0, 1)),
      rate: when({ kind: "net" }, real(1e-5, 1, { log: true })),
      width: when({ kind: "net" }, integer(1, 512, { log: true })),
    }),
    lowest: 0,
    value: ({ kind, depth, leaf, rate, width }) =>
      kind === "tree"
        ? 0.5 + Math.abs(Number(depth) - 11) / 10 + (Number(leaf) - 0.2) ** 2
        : (Math.log10(Number(rate)) + 2.5) ** 2 + 0.5 * Math.log2(Number(width) / 64) ** 2,
  },
  noisy(),
  football(),
];

/**
 * The football model's error on weeks 6 to 9 of an invented season, by all its parameters. How low it goes is not known:
 * `lowest` is just below the best that 12,000 trials of CMA-ES found (four seeds, 3,000 each).
 */
function football(): TestFunction {
  const parameters = footballParameters(undefined);
  const horizon = HORIZONS[2];
  let evaluator: ColumnEvaluator | undefined;
  return {
    name: "football 16",
    space: { parameters, constraints: [] },
    lowest: FOOTBALL_LOWEST,
    value: (point) => {
      evaluator ??= new ColumnEvaluator(buildColumns(generateSeasons(5, ["2101"])));
      let configuration: Configuration = STARTING_PARAMETERS;
      for (const { path, name } of parameters) {
        configuration = withValue(configuration, path, valueAt(point, path) ?? point[name]);
      }
      return evaluator.evaluate(horizon, readConfiguration(configuration, "the point"), "mae").aggregate.mae;
    },
  };
}

/** A bowl whose values come with noise of a deviation of 1, the same for the same point. */
function noisy(): TestFunction {
  const plain = onCube("noisy sphere 5", 5, sphere);
  const seen = (point: Configuration) => {
    let mixed = 17;
    for (const letter of JSON.stringify(point)) mixed = (Math.imul(mixed, 31) + letter.charCodeAt(0)) | 0;
    return plain.value(point) + random(mixed).normal();
  };
  return { ...plain, seen };
}
