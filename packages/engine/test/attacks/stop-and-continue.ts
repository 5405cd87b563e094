import assert from "node:assert/strict";
import { setTimeout as wait } from "node:timers/promises";
import { type AttackedRun, completedKeys, type Harm, harmOf, launch, untilCompleted } from "./attacked-run.ts";

/**
 * The coordinator is stopped for longer than a task may take and goes on, as when a laptop is closed: what its workers did
 * meanwhile counts as they did it, and nothing has timed out that did not take that long itself.
 */
export async function stopAndContinue(run: AttackedRun, pauseMs: number): Promise<Harm> {
  const { child, ended } = launch(run, run.start);
  try {
    await untilCompleted(run, 3);
    child.kill("SIGSTOP");
    const before = completedKeys(run);
    run.letGo();
    await wait(pauseMs);
    child.kill("SIGCONT");
    const { code, stderr } = await ended;
    assert.equal(code, 0, stderr);
    return harmOf(run, before);
  } finally {
    child.kill("SIGKILL");
  }
}
