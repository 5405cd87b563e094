import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestContext } from "node:test";
import { fileURLToPath } from "node:url";
import { readResultFile } from "../../src/run-directory/result-file.ts";
import { type AttackedRun, type Harm, launch, type NotHere } from "./attacked-run.ts";

const PROGRAM = fileURLToPath(new URL("./program.ts", import.meta.url));
const NONE: Harm = { lost: 0, repeated: 0, wrong: 0, leftRunning: 0 };

/** A run of squares that stands still after six of them until it is let go. */
export async function squares(t: TestContext, pool: "threads" | "processes", environment = {}): Promise<AttackedRun> {
  const cwd = mkdtempSync(join(tmpdir(), "coppice-attack-"));
  t.after(() => rmSync(cwd, { recursive: true, force: true }));
  const command = (how: string, name: string) => [process.execPath, PROGRAM, how, join(cwd, name), pool, "20"];
  const run = {
    cwd,
    directory: join(cwd, "run"),
    start: command("start", "run"),
    resume: command("resume", "run"),
    environment: { LOCK_STALE_MS: "3000", HELD_WHILE: join(cwd, "held"), ...environment },
    letGo: () => rmSync(join(cwd, "held")),
    digest: "",
  };
  const { code, stderr } = await launch(run, command("start", "straight")).ended;
  assert.equal(code, 0, stderr);
  writeFileSync(join(cwd, "held"), "");
  return { ...run, digest: readResultFile(join(cwd, "straight"))?.digest ?? "" };
}

export function assertUnharmed(t: TestContext, harm: Harm | NotHere): void {
  if ("skipped" in harm) t.skip(harm.skipped);
  else assert.deepEqual(harm, NONE);
}
