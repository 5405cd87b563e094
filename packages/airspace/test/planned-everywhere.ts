import assert from "node:assert/strict";
import { inline, processes, type StartOptions, start, threads } from "@coppice/engine";
import { isLongSoak } from "@coppice/engine/soak";

/** Runs a search here, on four threads and on processes, in a soak also on fewer threads: one digest and one result, returned. */
export async function plannedEverywhere<Candidate, Value, Result>(
  prepare: () => Omit<StartOptions<Candidate, Value, Result>, "pool"> & { readonly inputs?: string },
): Promise<Result> {
  const few = isLongSoak() ? [threads({ workers: 1 }), threads({ workers: 2 })] : [];
  const searched = () => {
    const { inputs: _, ...search } = prepare();
    return search;
  };
  const { digest, result } = await (await start({ ...searched(), pool: inline() })).finished;
  for (const pool of [...few, threads({ workers: 4 }), processes({ workers: 2 })]) {
    const other = await (await start({ ...searched(), pool })).finished;
    assert.equal(other.digest, digest);
    assert.deepEqual(other.result, result);
  }
  return result;
}
