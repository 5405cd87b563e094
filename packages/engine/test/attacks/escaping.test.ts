import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, it, type TestContext } from "node:test";
import { fileURLToPath } from "node:url";
import { processStart } from "../../src/child-process/process-table.ts";
import { until } from "./attacked-run.ts";

const PROGRAM = fileURLToPath(new URL("./escaping-program.ts", import.meta.url));

/** A run whose evaluators have started two programs that would run for long. */
async function begun(t: TestContext, pool: string) {
  const directory = mkdtempSync(join(tmpdir(), "coppice-escaping-"));
  const [ledger, held] = [join(directory, "ledger"), join(directory, "held")];
  writeFileSync(held, "");
  const env = { ...process.env, HELD_WHILE: held };
  const child = spawn(process.execPath, [PROGRAM, pool, ledger], { env, stdio: ["ignore", "inherit", "inherit"] });
  const started = () => (existsSync(ledger) ? readFileSync(ledger, "utf8").trim().split("\n").map(Number) : []);
  t.after(() => {
    child.kill("SIGKILL");
    for (const pid of started()) if (processStart(pid) !== undefined) process.kill(pid, "SIGKILL");
    rmSync(directory, { recursive: true, force: true });
  });
  await until("two programs", () => started().length === 2);
  const gone = () => started().every((pid) => processStart(pid) === undefined);
  assert.equal(gone(), false);
  return { child, gone, letGo: () => rmSync(held) };
}

/** Whether somebody watches over what the threads of a process have started. */
function isWatched(pid: number | undefined): boolean {
  return readdirSync("/proc").some((name) => {
    try {
      const stat = readFileSync(`/proc/${name}/stat`, "latin1");
      return stat.includes(`) S ${pid} `) && readFileSync(`/proc/${name}/cmdline`, "latin1").includes("bye");
    } catch {
      return false;
    }
  });
}

const here = process.platform === "linux" ? false : "children are found by their parents on Linux only";

describe("programs that evaluations start", { concurrency: 2, skip: here }, () => {
  for (const pool of ["threads", "processes"]) {
    it(`end with the run on ${pool}, also in a session of their own without any environment`, async (t) => {
      const { child, gone, letGo } = await begun(t, pool);
      letGo();
      const [code] = await Promise.all([new Promise((resolve) => child.on("exit", resolve)), until("their end", gone)]);
      assert.equal(code, 0);
    });

    it(`end when the coordinator on ${pool} is killed, without anybody resuming the run`, async (t) => {
      const { child, gone } = await begun(t, pool);
      if (pool === "threads") await until("a watcher", () => isWatched(child.pid));
      child.kill("SIGKILL");
      await until("their end", gone);
    });
  }
});
