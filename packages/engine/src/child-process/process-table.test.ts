import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { describe, it } from "node:test";
import { endMarkedProcesses, inheritedMark, markedProcesses, marksInPs, RUN_MARK } from "./marked-processes.ts";
import { descendants, processStart, rowsInPs } from "./process-table.ts";
import { endProcess } from "./send-signal.ts";

const SLEEP = ["-e", "setTimeout(() => {}, 60_000)"];

async function sleeper(env: NodeJS.ProcessEnv = process.env): Promise<{ child: ChildProcess; pid: number }> {
  const child = spawn(process.execPath, SLEEP, { stdio: "ignore", detached: true, env });
  await once(child, "spawn");
  assert.ok(child.pid !== undefined);
  return { child, pid: child.pid };
}

describe("the process table", () => {
  it("gives a live process one start time, and another process another", async () => {
    const { child, pid } = await sleeper();
    assert.equal(typeof processStart(process.pid), "string");
    assert.equal(processStart(pid), processStart(pid));
    assert.notEqual(processStart(pid), undefined);
    child.kill("SIGKILL");
    await once(child, "exit");
  });

  it("has no start time for what is not alive or not a pid", async () => {
    const { child, pid } = await sleeper();
    child.kill("SIGKILL");
    await once(child, "exit");
    for (const dead of [pid, 0, -1, 1.5, Number.NaN]) assert.equal(processStart(dead), undefined);
  });

  it("ends a process only when pid and start time agree", async () => {
    const { child, pid } = await sleeper();
    const exit = once(child, "exit");
    assert.equal(endProcess(pid, "another start"), false);
    const start = processStart(pid);
    assert.ok(start !== undefined);
    assert.equal(endProcess(pid, start), true);
    assert.equal(endProcess(pid, start), false);
    assert.deepEqual(await exit, [null, "SIGKILL"]);
  });

  it("never ends itself", () => {
    assert.equal(endProcess(process.pid, processStart(process.pid) ?? ""), false);
  });

  it("finds and ends processes by their mark, and no others", async () => {
    const token = `table-${process.pid}`;
    const marked = await sleeper({ ...process.env, [RUN_MARK]: `${token}/3` });
    const nested = await sleeper({ ...process.env, [RUN_MARK]: `outer,${token}` });
    const other = await sleeper({ ...process.env, [RUN_MARK]: `${token}4` });
    const exits = [marked, nested].map(({ child }) => once(child, "exit"));
    assert.deepEqual(markedProcesses(`${token}/3`), [marked.pid]);
    assert.deepEqual(
      markedProcesses(token).sort((a, b) => a - b),
      [marked.pid, nested.pid].sort((a, b) => a - b),
    );
    assert.equal(endMarkedProcesses(token), 2);
    await Promise.all(exits);
    assert.deepEqual(markedProcesses(token), []);
    assert.notEqual(processStart(other.pid), undefined);
    other.child.kill("SIGKILL");
    await once(other.child, "exit");
  });

  it("reads marks from a ps listing where there is no /proc", () => {
    const listing = [
      "    1 /sbin/launchd",
      `  412 node worker.js PATH=/bin ${RUN_MARK}=run-7/2 HOME=/h`,
      `  413 sleep 9 ${RUN_MARK}=outer,run-7`,
      `  414 sleep 9 ${RUN_MARK}=run-77`,
    ].join("\n");
    assert.deepEqual(marksInPs(listing, "run-7"), [412, 413]);
    assert.deepEqual(marksInPs(listing, "run-7/2"), [412]);
  });

  it("adds its mark to the one it inherited", () => {
    const before = process.env[RUN_MARK];
    delete process.env[RUN_MARK];
    assert.equal(inheritedMark("inner"), "inner");
    process.env[RUN_MARK] = "outer";
    assert.equal(inheritedMark("inner"), "outer,inner");
    if (before === undefined) delete process.env[RUN_MARK];
    else process.env[RUN_MARK] = before;
  });

  it("finds what a process started, also in a session of its own and through others", async () => {
    const inner = `const { spawn } = require("node:child_process");
      const { pid } = spawn(process.execPath, ["-e", "setTimeout(() => {}, 60_000)"], { stdio: "ignore", detached: true });
      console.log(pid); setTimeout(() => {}, 60_000)`;
    const outer = `require("node:child_process").spawn(process.execPath, ["-e", ${JSON.stringify(inner)}], { stdio: "inherit", detached: true })`;
    const child = spawn(process.execPath, ["-e", outer], { stdio: ["ignore", "pipe", "ignore"] });
    assert.ok(child.pid !== undefined);
    const [printed] = await once(child.stdout, "data");
    const grandchild = Number(printed);
    const found = descendants([child.pid]);
    assert.equal(found.length, 2);
    const last = found.find(({ pid }) => pid === grandchild);
    assert.deepEqual(last, {
      pid: grandchild,
      start: processStart(grandchild),
      group: grandchild,
      parent: found[0]?.pid,
    });
    for (const { pid } of found) process.kill(pid, "SIGKILL");
    child.kill("SIGKILL");
    await once(child, "close");
    assert.deepEqual(descendants([child.pid]), []);
  });

  it("reads parents and groups from a ps listing where there is no /proc", () => {
    const listing = [
      "  501     1   501 Ss   Sun Nov 15 20:00:00 2026",
      "  502   501   502 S+   Sun Nov 15 20:00:01 2026",
      "  503   501   501 Z    Sun Nov 15 20:00:02 2026",
    ].join("\n");
    assert.deepEqual(rowsInPs(listing), [
      { pid: 501, parent: 1, group: 501, start: "Sun Nov 15 20:00:00 2026" },
      { pid: 502, parent: 501, group: 502, start: "Sun Nov 15 20:00:01 2026" },
    ]);
  });
});
