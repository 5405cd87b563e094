import type { Language } from "./project-files.ts";

// The modules of a new project, once for both languages: `typed` is what only TypeScript has.

const ENGINE = "@coppice/engine";

function typedIn(language: Language): (text: string) => string {
  return language === "typescript" ? (text) => text : () => "";
}

function extensionOf(language: Language): string {
  return language === "typescript" ? "ts" : "js";
}

export function evaluatorText(language: Language): string {
  const typed = typedIn(language);
  return `import { defineEvaluator } from "${ENGINE}/evaluator";
${typed(`
/** A place on the map. */
export interface Point {
  readonly x: number;
  readonly y: number;
}
`)}
/** How high the land is there: many hills, the highest of them at (1, 2) with height 3. Put what is expensive here. */
export function height({ x, y }${typed(": Point")})${typed(": number")} {
  const distance = Math.hypot(x - 1, y - 2);
  return 2 * Math.exp(-distance) + Math.cos(3 * distance);
}

// Every worker loads this module. The same candidate must have the same value each time.
export default defineEvaluator({ evaluate: (_state, point${typed(": Point")}) => height(point) });
`;
}

export function searchText(language: Language): string {
  const typed = typedIn(language);
  return `import { ${typed("type Outcome, type Proposal, ")}random } from "${ENGINE}";
${typed(`import type { Point } from "./evaluator.${extensionOf(language)}";

export interface Found extends Point {
  readonly height: number;
}
`)}
const ROUNDS = 20;
/** Points in a round: as many can be evaluated at once. */
const POINTS = 32;

/** Tries points around the best one so far, closer each round. It sees no clock, no worker and no order of arrival. */
export class NarrowingSearch {
  #random;
  #points${typed(": Point[]")} = [];
  #told = 0;
  #centre${typed(": Point")} = { x: 0, y: 0 };
  #best${typed(": Found")} = { x: 0, y: 0, height: Number.NEGATIVE_INFINITY };

  constructor(seed${typed(": number")}) {
    this.#random = random(seed);
  }

  /** What to evaluate next. A round begins when everything before it has been told. */
  ask()${typed(": Proposal<Point>")} {
    const asked = this.#points.length;
    if (asked % POINTS === 0) {
      if (this.#told < asked) return { kind: "wait" };
      if (asked === ROUNDS * POINTS) return { kind: "done" };
      this.#centre = this.#best;
    }
    const reach = 5 * 0.75 ** Math.floor(asked / POINTS);
    const near = (middle${typed(": number")}) => middle + reach * (2 * this.#random.uniform() - 1);
    const candidate = { x: near(this.#centre.x), y: near(this.#centre.y) };
    this.#points.push(candidate);
    return { kind: "candidate", candidate, key: String(asked) };
  }

  /** Called in the order of the asks, whatever finished first. An evaluation that threw is told, too. */
  tell(outcome${typed(": Outcome<number>")}, ask${typed(": number")})${typed(": void")} {
    this.#told++;
    if (outcome.ok && outcome.value > this.#best.height) this.#best = { ...this.#points[ask], height: outcome.value };
  }

  result()${typed(": Found")} {
    return this.#best;
  }
}
`;
}

export function runText(language: Language): string {
  const extension = extensionOf(language);
  return `import { defineRun } from "${ENGINE}";
import { NarrowingSearch } from "./search.${extension}";

// What "coppice run run.${extension}" starts.
export default defineRun({
  search: ({ seed }) => new NarrowingSearch(seed),
  evaluator: "./evaluator.${extension}",
  describe: ({ x, y, height }) => \`highest point found: \${height.toFixed(4)} at (\${x.toFixed(3)}, \${y.toFixed(3)})\`,
});
`;
}

export function testText(language: Language): string {
  const typed = typedIn(language);
  const extension = extensionOf(language);
  return `import assert from "node:assert/strict";
import { test } from "node:test";
import { start, threads } from "${ENGINE}";
import { height } from "./evaluator.${extension}";
import { NarrowingSearch } from "./search.${extension}";

async function searched(workers${typed(": number")}) {
  const evaluator = new URL("./evaluator.${extension}", import.meta.url);
  const run = await start({ search: new NarrowingSearch(1), evaluator, pool: threads({ workers }) });
  return run.finished;
}

test("the highest hill is 3 high", () => {
  assert.equal(height({ x: 1, y: 2 }), 3);
});

test("the search finds it, with the same digest on 1 worker and on 4", async () => {
  const alone = await searched(1);
  const together = await searched(4);
  assert.ok(alone.result.height > 2.99, \`found only \${alone.result.height}\`);
  assert.deepEqual(together, alone);
});
`;
}
