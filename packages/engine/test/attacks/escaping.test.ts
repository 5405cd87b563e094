import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, it, type TestContext } from "node:test";
import { fileURLToPath } from "node:url";
import { limitDigits } from "../../src/child-process/limit-mark.ts";
import { processStart } from "../../src/child-process/process-table.ts";
import { until } from "./attacked-run.ts";

const PROGRAM = fileURLToPath(new URL("./escaping-program.ts", import.meta.url));
const PROGRAMS = 4;

let begunRuns = 0;

/** A run whose evaluation has started programs that would run for long. */
async function begun(t: TestContext, pool: string) {
  const directory = mkdtempSync(join(tmpdir(), "coppice-escaping-"));
  const held = join(directory, "held");
  writeFileSync(held, "");
  const seconds = `${process.pid}${String(begunRuns++).padStart(3, "0")}`;
  const env = { ...process.env, HELD_WHILE: held };
  const child = spawn(process.execPath, [PROGRAM, pool, seconds], { env, stdio: ["ignore", "inherit", "inherit"] });
  const ended = once(child, "exit");
  const started = () => sleepersFor(seconds);
  t.after(() => {
    child.kill("SIGKILL");
    for (const pid of started()) process.kill(pid, "SIGKILL");
    rmSync(directory, { recursive: true, force: true });
  });
  await until("the programs", () => started().length === PROGRAMS);
  return { child, ended, gone: () => started().length === 0, letGo: () => rmSync(held) };
}

/** Live programs that sleep for so many seconds. */
function sleepersFor(seconds: string): number[] {
  const sleeping = `/bin/sleep\0${seconds}\0`;
  const pids = readdirSync("/proc").filter((name) => /^\d+$/.test(name));
  return pids.map(Number).filter((pid) => {
    try {
      return readFileSync(`/proc/${pid}/cmdline`, "latin1") === sleeping && processStart(pid) !== undefined;
    } catch {
      return false;
    }
  });
}

const cannot =
  process.platform !== "linux"
    ? "only Linux hands limits on and tells them"
    : spawnSync("prlimit", ["--version"]).error !== undefined && "there is no prlimit";

describe("programs that evaluations start, whatever they do to their session, environment and parents", {
  concurrency: 2,
  skip: cannot,
}, () => {
  for (const pool of ["threads", "processes"]) {
    it(`end with the run on ${pool}`, async (t) => {
      const { ended, gone, letGo } = await begun(t, pool);
      letGo();
      assert.deepEqual(await ended, [0, null]);
      assert.ok(gone());
    });

    it(`end when the run on ${pool} is interrupted`, async (t) => {
      const { child, ended, gone } = await begun(t, pool);
      child.kill("SIGTERM");
      await ended;
      assert.ok(gone());
    });

    it(`end when the coordinator on ${pool} is killed, without anybody resuming the run`, async (t) => {
      const { child, gone } = await begun(t, pool);
      child.kill("SIGKILL");
      await until("their end", gone);
    });
  }
});

describe("the mark in a process's limits", () => {
  it("has ten digits for the run and five for the worker", () => {
    for (let n = 0; n < 200; n++) assert.match(limitDigits(`token-${n}`), /^[1-9]\d{9}$/);
    assert.equal(limitDigits("token/7"), `${limitDigits("token")}00007`);
    assert.equal(limitDigits("token/123456"), `${limitDigits("token")}23456`);
    assert.notEqual(limitDigits("token"), limitDigits("tokem"));
  });
});
