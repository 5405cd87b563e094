import assert from "node:assert/strict";
import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestContext } from "node:test";
import { coppice, file, SQUARES, temporaryDirectory } from "./coppice.ts";

/** Recorded with the first copy, removed with the process. */
let recorded: Promise<string> | undefined;

/** A copy of the recorded runs, for a test to spoil. */
export async function copyOfRuns(t: TestContext): Promise<string> {
  recorded ??= recordedRuns();
  const place = temporaryDirectory(t);
  cpSync(await recorded, place, { recursive: true });
  return place;
}

/**
 * Records some runs in a new directory: 2 and 10 are the same, `other` has a failure, `stopped` was stopped by one that
 * goes away with the file `broken`.
 */
async function recordedRuns(): Promise<string> {
  const place = mkdtempSync(join(tmpdir(), "coppice-cli-"));
  process.once("exit", () => rmSync(place, { recursive: true, force: true }));
  file(place, "broken", "");
  const record = async (id: string, code: number, ...args: string[]) => {
    const ended = await coppice(place, ["run", SQUARES, "--id", id, "--pool", "inline", ...args]);
    assert.equal(ended.code, code, ended.stderr);
  };
  await record("2", 0);
  await record("10", 0);
  await record("other", 0, "--option", "failAt=5");
  await record("stopped", 1, "--on-failure", "stop", "--option", "failAt=3", "--option", "failWhile=broken");
  return place;
}
