import assert from "node:assert/strict";
import { it } from "node:test";
import { start } from "../driver/start.ts";
import { inline } from "../pools/in-process.ts";
import { type CandidateOf, evaluatorAt, type ValueOf } from "./evaluator.ts";
import type { Search } from "./search.ts";

type Squares = typeof import("../../test/evaluators/held-square.ts");
const squares = evaluatorAt<Squares>(new URL("../../test/evaluators/held-square.ts", import.meta.url));
const echo = evaluatorAt<typeof import("../../test/evaluators/echo.ts")>(
  new URL("../../test/evaluators/echo.ts", import.meta.url),
);

it("an evaluator's address with its types ties a search to it: candidates and values must be those it knows", async () => {
  const done = <Candidate, Value>(): Search<Candidate, Value, string> => ({
    ask: () => ({ kind: "done" }),
    tell: () => {},
    result: () => "nothing was asked",
  });
  type Candidate = CandidateOf<Squares["default"]>;
  type Value = ValueOf<Squares["default"]>;
  const fits = () => start({ search: done<Candidate, Value>(), evaluator: squares, pool: inline() });
  const run = await fits();
  assert.equal((await run.finished).result, "nothing was asked");
  // Checked by the compiler, never called.
  // @ts-expect-error candidates of another type
  const wrongCandidate = () => start({ search: done<symbol, Value>(), evaluator: squares });
  // @ts-expect-error values of another type
  const wrongValue = () => start({ search: done<Candidate, symbol>(), evaluator: squares });
  const anything = () => start({ search: done<string, unknown>(), evaluator: echo });
  const plain = () => start({ search: done<symbol, symbol>(), evaluator: new URL("./unknown.ts", import.meta.url) });
  assert.equal([wrongCandidate, wrongValue, anything, plain].length, 4);
});
