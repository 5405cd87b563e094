import assert from "node:assert/strict";
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, it, type TestContext } from "node:test";
import { RunLock, runningProcess } from "./lock.ts";

const HEARTBEAT_MS = 2000;

/** A run directory whose lock is ours, with a clock the test moves. */
function locked(t: TestContext) {
  t.mock.timers.enable({ apis: ["setInterval"] });
  const directory = mkdtempSync(join(tmpdir(), "coppice-lock-"));
  t.after(() => rmSync(directory, { recursive: true, force: true }));
  const lost: string[] = [];
  const lock = RunLock.acquire(directory, { onLost: (error) => lost.push(error.message) });
  t.after(() => lock.release());
  return { directory, path: join(directory, "lock"), lock, lost };
}

function owner(path: string): Record<string, unknown> {
  return JSON.parse(readFileSync(path, "utf8")) as Record<string, unknown>;
}

describe("the lock of a run", () => {
  it("is kept fresh while its owner lives, so that other machines see it", (t) => {
    const { path, lost } = locked(t);
    utimesSync(path, new Date(0), new Date(0));
    t.mock.timers.tick(HEARTBEAT_MS);
    assert.ok(statSync(path).mtimeMs > Date.now() - 60_000);
    assert.deepEqual(lost, []);
  });

  it("tells its owner once when it was taken away, and is not refreshed or removed for the new one", (t) => {
    const { path, lock, lost } = locked(t);
    writeFileSync(path, JSON.stringify({ ...owner(path), token: "another", pid: 4711 }));
    utimesSync(path, new Date(0), new Date(0));
    t.mock.timers.tick(3 * HEARTBEAT_MS);
    assert.equal(lost.length, 1);
    assert.match(lost[0] ?? "", /was taken by pid 4711: this run stops/);
    assert.equal(statSync(path).mtimeMs, 0);
    lock.release();
    assert.equal(owner(path).token, "another");
  });

  it("tells its owner when the file is gone", (t) => {
    const { path, lost } = locked(t);
    rmSync(path);
    t.mock.timers.tick(HEARTBEAT_MS);
    assert.match(lost[0] ?? "", /was taken by somebody: this run stops/);
  });

  it("of another machine holds while its heartbeat is fresh, and is taken over after that", (t) => {
    const { directory, path } = locked(t);
    writeFileSync(path, JSON.stringify({ ...owner(path), token: "far", host: "elsewhere", pid: 4711 }));
    assert.deepEqual(runningProcess(directory), { pid: 4711, host: "elsewhere" });
    assert.throws(() => RunLock.acquire(directory, { onLost: () => {} }), /is in use by pid 4711 on elsewhere/);
    utimesSync(path, new Date(0), new Date(0));
    assert.equal(runningProcess(directory), undefined);
    const taken = RunLock.acquire(directory, { onLost: () => {} });
    assert.equal(taken.takenFrom, "pid 4711 on elsewhere");
    taken.release();
    assert.ok(!existsSync(path));
  });

  it("of another machine holds without a heartbeat for as long as the taker grants", (t) => {
    const { directory, path } = locked(t);
    writeFileSync(path, JSON.stringify({ ...owner(path), token: "far", host: "elsewhere", pid: 4711 }));
    const minuteAgo = new Date(Date.now() - 60_000);
    utimesSync(path, minuteAgo, minuteAgo);
    const patient = { onLost: () => {}, staleMs: 600_000 };
    assert.throws(() => RunLock.acquire(directory, patient), /is in use by pid 4711 on elsewhere/);
    assert.deepEqual(runningProcess(directory, 600_000), { pid: 4711, host: "elsewhere" });
    assert.equal(runningProcess(directory), undefined);
    const taken = RunLock.acquire(directory, { onLost: () => {}, staleMs: 59_000 });
    assert.equal(taken.takenFrom, "pid 4711 on elsewhere");
    taken.release();
  });

  it("of this machine is taken at once when its process is gone, and never while it lives, whatever is granted", (t) => {
    const { directory, path } = locked(t);
    utimesSync(path, new Date(0), new Date(0));
    const hasty = { onLost: () => {}, staleMs: 1 };
    assert.throws(() => RunLock.acquire(directory, hasty), new RegExp(`in use by pid ${process.pid} on`));
    writeFileSync(path, JSON.stringify({ ...owner(path), token: "dead", pidStart: "of another process" }));
    const taken = RunLock.acquire(directory, { onLost: () => {}, staleMs: 600_000 });
    assert.match(taken.takenFrom ?? "", new RegExp(`^pid ${process.pid} on `));
    taken.release();
  });

  it("whose process cannot be told from a later one with its number holds while its heartbeat is fresh", (t) => {
    const { directory, path } = locked(t);
    writeFileSync(path, JSON.stringify({ ...owner(path), token: "unsure", pidStart: "" }));
    assert.throws(() => RunLock.acquire(directory, { onLost: () => {} }), /is in use by/);
    utimesSync(path, new Date(0), new Date(0));
    RunLock.acquire(directory, { onLost: () => {} }).release();
  });

  it("that does not say whose it is holds for nobody", (t) => {
    for (const text of ["", "torn {", "null", "7", "{}", '{"pid":4711,"host":"elsewhere"}']) {
      const { directory, path, lock } = locked(t);
      t.mock.timers.reset();
      writeFileSync(path, text);
      assert.equal(runningProcess(directory), undefined, text);
      const taken = RunLock.acquire(directory, { onLost: () => {} });
      assert.equal(taken.takenFrom, "an unreadable lock");
      taken.release();
      lock.release();
    }
  });
});
