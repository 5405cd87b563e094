import assert from "node:assert/strict";
import type { Search } from "@coppice/engine";

/** Runs a search with nothing but a function: asks until it waits, answers one, asks again. */
export function runByHand<Candidate, Value, Result>(
  search: Search<Candidate, Value, Result>,
  evaluate: (candidate: Candidate, ask: number) => Value,
): { readonly result: Result; readonly candidates: readonly Candidate[]; readonly keys: readonly string[] } {
  const candidates: Candidate[] = [];
  const keys: string[] = [];
  let told = 0;
  for (;;) {
    const proposal = search.ask();
    if (proposal.kind === "done") return { result: search.result(), candidates, keys };
    if (proposal.kind === "candidate") {
      candidates.push(proposal.candidate);
      keys.push(proposal.key);
      continue;
    }
    assert.equal(proposal.kind, "wait");
    assert.ok(told < candidates.length, "waits with nothing outstanding");
    let value: Value;
    try {
      value = evaluate(candidates[told], told);
    } catch (error) {
      search.tell({ ok: false, failure: { type: "Error", message: (error as Error).message } }, told++);
      continue;
    }
    search.tell({ ok: true, value }, told++);
  }
}
