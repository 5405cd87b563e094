import { appendFileSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { defineEvaluator } from "@coppice/engine/evaluator";
import type { TreeContext, TreeTask, TreeValue } from "../src/contract.ts";
import { pretend } from "../src/dry-run/pretend.ts";
import { settingsOnDisk } from "../src/settings.ts";

/** What a test wants to happen, in `script.json` beside the run. */
export interface TreeScript {
  /** Keys that fail, and how often before they succeed; more often than anybody tries is always. */
  readonly failing?: Readonly<Record<string, number>>;
  /** How long keys with this beginning take; the longest beginning counts. */
  readonly delayMs?: Readonly<Record<string, number>>;
  /** Keys that wait until these others have been begun. */
  readonly after?: Readonly<Record<string, readonly string[]>>;
  readonly costMoney?: number;
  readonly costTokens?: number;
}

/** A dry run that can fail, take time, cost money, and that counts in `calls.log` what it was made to do. */
export default defineEvaluator({
  setup: ({ runRoot }: TreeContext) => ({
    runRoot,
    settings: settingsOnDisk(runRoot),
    script: JSON.parse(readFileSync(join(runRoot, "..", "script.json"), "utf8")) as TreeScript,
  }),
  evaluate: async ({ runRoot, settings, script }, candidate: TreeTask, task): Promise<TreeValue> => {
    const calls = join(runRoot, "..", "calls.log");
    appendFileSync(calls, `+${task.key}\n`);
    const delay = Object.entries(script.delayMs ?? {})
      .filter(([beginning]) => task.key.startsWith(beginning))
      .sort(([a], [b]) => b.length - a.length)[0];
    for (const other of script.after?.[task.key] ?? []) {
      while (!readFileSync(calls, "utf8").includes(`+${other}\n`)) await wait(10, undefined, { signal: task.signal });
    }
    if (delay !== undefined) await wait(delay[1], undefined, { signal: task.signal });
    appendFileSync(calls, `-${task.key}\n`);
    if (fails(runRoot, task.key, script)) throw Object.assign(new Error(`no ${task.key}`), failureData);
    const value = pretend(settings, candidate);
    return "cost" in value
      ? { ...value, cost: { money: script.costMoney ?? 0, tokens: script.costTokens ?? 0 } }
      : value;
  },
});

const failureData = {
  name: "StepFailed",
  data: {
    step: "test",
    round: 0,
    exitCode: 3,
    signal: null,
    logTail: ["expected 4"],
    cost: { money: 0.25, tokens: 10 },
  },
};

/** Counts down in a file, because an attempt may be made by another process than the last. */
function fails(runRoot: string, key: string, { failing = {} }: TreeScript): boolean {
  if (!Object.hasOwn(failing, key)) return false;
  const path = join(runRoot, "..", `failed-${key.replaceAll("/", "-")}`);
  let before = 0;
  try {
    before = Number(readFileSync(path, "utf8"));
  } catch {
    // never tried
  }
  if (before >= failing[key]) {
    rmSync(path, { force: true });
    return false;
  }
  writeFileSync(path, String(before + 1));
  return true;
}
