import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { hostname, tmpdir } from "node:os";
import { join } from "node:path";
import { describe, it, type TestContext } from "node:test";
import { setTimeout as wait } from "node:timers/promises";
import { RUN_MARK } from "../child-process/marked-processes.ts";
import { processStart } from "../child-process/process-table.ts";
import { plainBody, queuedBody, startedBody } from "../journal/entry.ts";
import { JournalWriter } from "../journal/writer.ts";
import { originOf } from "./directory-identity.ts";
import { reopenRun } from "./open-run.ts";
import { JOURNAL_NAME, RUN_FORMAT, type RunFile, readRunFile, writeRunFile } from "./run-file.ts";
import { identityOf } from "./run-identity.ts";

const shape: RunFile = {
  format: RUN_FORMAT,
  id: "left",
  tool: "test",
  options: null,
  seed: 0,
  lookahead: 1,
  retries: 0,
  timeoutMs: 0,
  onFailure: "continue",
  maxValueBytes: 1,
  evaluator: { url: "file:///e.ts", version: "1" },
  context: "null",
  inputs: undefined,
  pool: { kind: "processes" },
  versions: { coppice: "0", node: process.versions.node },
  createdAt: "2026-01-01T00:00:00Z",
};

/** A run whose coordinator and worker were on these machines and did not end; the worker is a program that lives here. */
async function leftBehind(
  t: TestContext,
  hosts: { readonly session?: string; readonly worker?: string },
  { place, copied = false }: { readonly place?: string; readonly copied?: boolean } = {},
) {
  const directory = mkdtempSync(join(tmpdir(), "coppice-left-"));
  const runToken = crypto.randomUUID();
  const worker = spawn("sleep", ["1000"], { stdio: "ignore", env: { ...process.env, [RUN_MARK]: `${runToken}/0` } });
  t.after(() => {
    worker.kill("SIGKILL");
    rmSync(directory, { recursive: true, force: true });
  });
  const pid = worker.pid ?? 0;
  const host = (name: string | undefined) => (name === undefined ? {} : { host: name });
  const writer = new JournalWriter(join(directory, JOURNAL_NAME), 0, "grouped");
  const opened = { type: "run", event: "opened", at: 1, node: "", runToken, pid: 1, pidStart: "no" } as const;
  const identity = { worker: 0, pid, pidStart: processStart(pid) ?? "", ...host(hosts.worker) };
  const where = { ...host(hosts.session), ...(place === undefined ? {} : { place }) };
  const origin = copied ? { directory: "/the/original", inode: 1 } : originOf(writer.path);
  writer.append(plainBody({ ...opened, ...where, ...origin }));
  writer.append(queuedBody(1, 0, [["a", "h"]]));
  writer.append(startedBody(1, identity, [0]));
  writer.write();
  writer.close();
  writeRunFile(directory, shape);
  const again = await reopenRun(directory, shape, crypto.randomUUID(), "grouped", { onLost: () => {} });
  const { lock, resumed } = again;
  again.writer.close();
  lock.release();
  // What was killed takes a moment to be gone.
  for (let looks = 0; looks < 50 && processStart(pid) !== undefined; looks++) await wait(20);
  return { lives: processStart(pid) !== undefined, reasons: resumed?.reasons ?? [], pid };
}

describe("what an earlier session left running", () => {
  it("is ended where it runs on this machine", async (t) => {
    for (const hosts of [{}, { session: hostname() }, { session: "moon", worker: hostname() }]) {
      const { lives, reasons, pid } = await leftBehind(t, hosts);
      assert.equal(lives, false);
      // Ended by its mark or by its number, whichever came first.
      assert.match(
        reasons.join(),
        new RegExp(`its worker \\(pid ${pid}\\) (is gone|was still running and has been ended)$`),
      );
    }
  });

  it("is left alone where the run is a copy, also of one that is under way", async (t) => {
    const { lives, reasons } = await leftBehind(t, { session: hostname() }, { copied: true });
    assert.equal(lives, true);
    assert.deepEqual(reasons, ["1 started, not finished: it was under way when the run was copied"]);
  });

  it("is found by its mark, and not by its number, where it was in another container of this machine", async (t) => {
    const { lives, reasons, pid } = await leftBehind(t, { session: hostname() }, { place: "this boot pid:[1]" });
    assert.equal(lives, false);
    assert.deepEqual(reasons, [`1 started, not finished: its worker (pid ${pid}) was in another container`]);
  });

  it("is never looked up here where it was on another, whoever has its number now", async (t) => {
    for (const hosts of [{ session: "moon" }, { session: "moon", worker: "mars" }]) {
      const { lives, reasons, pid } = await leftBehind(t, hosts);
      assert.equal(lives, true);
      const where = hosts.worker ?? "moon";
      assert.deepEqual(reasons, [
        `1 started, not finished: its worker (pid ${pid} on ${where}) was on another machine`,
      ]);
    }
  });
});

describe("the evaluator in a run's record", () => {
  for (const [journals, known, says] of [
    ["is tied to its journal", {}, /changed since run .* was begun \(evaluator\)/],
    ["is free where an older journal does not know it", { evaluator: undefined }, undefined],
  ] as const) {
    it(journals, (t) => {
      const directory = mkdtempSync(join(tmpdir(), "coppice-record-"));
      t.after(() => rmSync(directory, { recursive: true, force: true }));
      const { id, seed, shape: hashes } = identityOf(shape);
      const run = { id, seed, shape: JSON.parse(JSON.stringify({ ...hashes, ...known })) as typeof hashes };
      const writer = new JournalWriter(join(directory, JOURNAL_NAME), 0, "grouped");
      const opened = { type: "run", event: "opened", at: 1, node: "", runToken: "", pid: 1, pidStart: "no" } as const;
      writer.append(plainBody({ ...opened, run }));
      writer.write();
      writer.close();
      writeRunFile(directory, shape);
      assert.equal(readRunFile(directory).id, shape.id);
      writeRunFile(directory, { ...shape, evaluator: { ...shape.evaluator, version: "2" } });
      if (says === undefined) assert.equal(readRunFile(directory).evaluator.version, "2");
      else assert.throws(() => readRunFile(directory), says);
    });
  }
});
