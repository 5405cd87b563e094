import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, it } from "node:test";
import type { Outcome } from "../contract/outcome.ts";
import type { Proposal, Search } from "../contract/search.ts";
import { concurrent, inline } from "../pools/in-process.ts";
import { hashCandidate } from "./run-record.ts";
import { start } from "./start.ts";

const evaluator = (name: string) => new URL(`../../test/evaluators/${name}.ts`, import.meta.url);

/** A search as somebody without types may write it. */
async function ended(ask: () => unknown): Promise<string> {
  const search = { ask, tell: () => {}, result: () => undefined } as Search<unknown, unknown, unknown>;
  const run = await start({ search, evaluator: evaluator("echo"), pool: inline() });
  return run.finished.then(
    () => "done",
    (error: Error) => error.message,
  );
}

describe("a search that breaks its contract is told so in a sentence", () => {
  it("when ask() returns nothing, or something that is no proposal", async () => {
    assert.match(await ended(() => undefined), /^ask\(\) returned nothing: expected a candidate/);
    assert.match(await ended(() => "done"), /^ask\(\) returned "done": expected a candidate/);
  });

  it("when ask() returns a promise", async () => {
    assert.match(await ended(async () => ({ kind: "done" })), /^ask\(\) returned a promise: a search answers at once/);
  });

  it("when one key stands for two candidates; both are named", async () => {
    let asked = 0;
    const two = () => ({ kind: "candidate", key: "a", candidate: { n: asked++ } });
    assert.equal(
      await ended(two),
      'ask 1 proposes {"n":1} under key "a", under which ask 0 proposed {"n":0}: two candidates need two keys',
    );
    asked = 0;
    const long = () => ({ kind: "candidate", key: "a", candidate: "xy"[asked++].repeat(1000) });
    assert.match(
      await ended(long),
      /^ask 1 proposes "y{199}… 802 bytes cut under key "a", under which ask 0 proposed "x{199}… 802 bytes cut: two/,
    );
  });

  it("when that happens after ten thousand asks: the journal's hash names the first, and its number where there is no journal", async () => {
    const first = 10_001;
    const late = () => {
      let asked = 0;
      return (): Proposal<number> => ({ kind: "candidate", key: String(Math.min(asked, first)), candidate: asked++ });
    };
    const options = { evaluator: evaluator("echo"), pool: inline(), lookahead: first + 10 };
    const said = async (journal?: { readonly directory: string; readonly resume?: boolean }): Promise<string> => {
      const search: Search<number, number, undefined> = { ask: late(), tell: () => {}, result: () => undefined };
      const run = await start({ search, ...options, ...(journal === undefined ? {} : { journal }) });
      return await run.finished.then(String, (error: Error) => error.message);
    };
    const begin = `ask ${first + 1} proposes ${first + 1} under key "${first}", under which ask ${first} proposed a different candidate`;
    assert.equal(await said(), `${begin}: two candidates need two keys`);
    const place = mkdtempSync(join(tmpdir(), "coppice-two-candidates-"));
    const directory = join(place, "run");
    const named = `${begin} (hash ${hashCandidate(String(first))} in the journal): two candidates need two keys`;
    assert.equal(await said({ directory }), named);
    assert.equal(await said({ directory, resume: true }), named, "and so when it is replayed");
    rmSync(place, { recursive: true });
  });
});

it("inline says once that it cannot enforce a time limit, and only where there is one", async () => {
  for (const timeoutMs of [0, 1000]) {
    const search = { ask: () => ({ kind: "done" }) as const, tell: () => {}, result: () => undefined };
    const run = await start({ search, evaluator: evaluator("exits"), pool: inline(), timeoutMs });
    const notes: string[] = [];
    run.subscribe((event) => event.type === "note" && notes.push(event.message));
    await run.finished;
    assert.equal(notes.length, timeoutMs > 0 ? 1 : 0);
    for (const note of notes) assert.match(note, /^the pool inline cannot stop an evaluation that never ends/);
  }
});

for (const pool of [inline(), concurrent({ workers: 2 })]) {
  it(`an evaluator that exits fails like any other in ${pool.kind}, and the run goes on`, async () => {
    const outcomes: Outcome<unknown>[] = [];
    let asked = 0;
    const search: Search<number, unknown, undefined> = {
      ask: (): Proposal<number> =>
        asked < 2
          ? { kind: "candidate", key: String(asked), candidate: asked++ }
          : { kind: outcomes.length === 2 ? "done" : "wait" },
      tell: (outcome) => void outcomes.push(outcome),
      result: () => undefined,
    };
    const run = await start({ search, evaluator: evaluator("exits"), pool });
    await run.finished;
    assert.deepEqual(
      outcomes.map((outcome) => (outcome.ok ? "" : outcome.failure.type)),
      ["EvaluatorExit", "EvaluatorExit"],
    );
  });
}
