import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { LiveGroups } from "./live-groups.ts";
import { markedProcesses, RUN_MARK } from "./marked-processes.ts";
import { runChild } from "./run-child.ts";

describe("who watches over children", () => {
  it("comes when one runs for long and goes when none runs any more, without being told", async () => {
    const mark = crypto.randomUUID();
    process.env[RUN_MARK] = mark;
    const groups = new LiveGroups();
    const over = new AbortController();
    const ended = runChild({
      command: { kind: "program", file: "sleep", args: ["1000"] },
      cwd: "/",
      env: { PATH: process.env.PATH },
      signal: over.signal,
      groups,
    });
    await until(() => markedProcesses(mark).length === 1, "nobody watches");
    over.abort();
    await ended;
    await until(() => markedProcesses(mark).length === 0, "somebody still watches");
  });
});

async function until(holds: () => boolean, otherwise: string): Promise<void> {
  for (const limit = Date.now() + 20_000; !holds(); await pause(20)) assert.ok(Date.now() < limit, otherwise);
}
