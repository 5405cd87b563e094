import { performance } from "node:perf_hooks";
import { setTimeout as sleep } from "node:timers/promises";
import { start, threads } from "@coppice/engine";
import { Sweep } from "@coppice/search";

/** How long an evaluation waits for something that is elsewhere. */
const WAIT_MS = 10;
const sleeper = new URL("../cluster/sleeper.ts", import.meta.url);

/**
 * What so many workers reach of the ideal when evaluations only wait, so that nothing but the engine limits them: the time
 * that a plain loop of the same waits takes for one worker's share, over the time that they take.
 */
export async function partOfIdeal(workers: number, each: number): Promise<number> {
  const begun = performance.now();
  for (let i = 0; i < each; i++) await sleep(WAIT_MS);
  const perTask = (performance.now() - begun) / each;

  const warm = workers;
  const count = workers * each + warm;
  const search = new Sweep<number, number>(Array.from({ length: count }, (_, i) => ({ candidate: i, key: String(i) })));
  const run = await start({ search, evaluator: sleeper, context: { ms: WAIT_MS }, pool: threads({ workers }) });
  let from = 0;
  run.subscribe((event) => {
    // Workers take a while to begin: each has done one task by then.
    if (event.type === "told" && from === 0 && event.told >= warm) from = performance.now();
  });
  await run.finished;
  return (perTask * (count - warm)) / workers / (performance.now() - from);
}
