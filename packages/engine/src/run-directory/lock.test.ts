import assert from "node:assert/strict";
import {
  cpSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, it, type TestContext } from "node:test";
import { RunLock, runningProcess } from "./lock.ts";

const HEARTBEAT_MS = 2000;

/** A run directory whose lock is ours, with a clock the test moves. */
async function locked(t: TestContext) {
  t.mock.timers.enable({ apis: ["setInterval"] });
  const directory = mkdtempSync(join(tmpdir(), "coppice-lock-"));
  t.after(() => rmSync(directory, { recursive: true, force: true }));
  const lost: string[] = [];
  const lock = await RunLock.acquire(directory, { onLost: (error) => lost.push(error.message) });
  t.after(() => lock.release());
  return { directory, path: join(directory, "lock"), lock, lost };
}

function owner(path: string): Record<string, unknown> {
  return JSON.parse(readFileSync(path, "utf8")) as Record<string, unknown>;
}

/** Lets somebody else have the lock, as they would take it: under another file. */
function give(path: string, changes: Record<string, unknown>): void {
  const next = { ...owner(path), token: crypto.randomUUID(), ...changes };
  writeFileSync(`${path}.draft`, JSON.stringify(next));
  renameSync(`${path}.draft`, path);
}

/** Touches the lock, by a clock that is an hour ahead or behind. */
function beat(path: string, offsetMs: number): void {
  const then = new Date(Date.now() + offsetMs);
  utimesSync(path, then, then);
}

const HOUR_MS = 3_600_000;
const QUICK = { onLost: () => {}, staleMs: 400 };

/** Owners that cannot be looked up from here. */
const elsewhere = {
  "on another machine": { host: "elsewhere", place: "another boot", pid: 4711 },
  "in another container with our host name": { place: "this boot pid:[1] time:[1]", pid: 4711 },
  "of an older version, which did not say where it was": { place: undefined, pid: 4711 },
  "whose process cannot be told from a later one with its number": { pidStart: "" },
} as const;

describe("the lock of a run", () => {
  it("is kept fresh while its owner lives, so that other machines see it", async (t) => {
    const { path, lost } = await locked(t);
    utimesSync(path, new Date(0), new Date(0));
    t.mock.timers.tick(HEARTBEAT_MS);
    assert.ok(statSync(path).mtimeMs > Date.now() - 60_000);
    assert.deepEqual(lost, []);
  });

  it("tells its owner once when it was taken away, and is not refreshed or removed for the new one", async (t) => {
    const { path, lock, lost } = await locked(t);
    writeFileSync(path, JSON.stringify({ ...owner(path), token: "another", pid: 4711 }));
    utimesSync(path, new Date(0), new Date(0));
    t.mock.timers.tick(3 * HEARTBEAT_MS);
    assert.equal(lost.length, 1);
    assert.match(lost[0] ?? "", /was taken by pid 4711 on .*: this process stops and writes nothing more/);
    assert.equal(statSync(path).mtimeMs, 0);
    lock.release();
    assert.equal(owner(path).token, "another");
  });

  it("tells its owner when the file is gone", async (t) => {
    const { path, lost } = await locked(t);
    rmSync(path);
    t.mock.timers.tick(HEARTBEAT_MS);
    assert.match(lost[0] ?? "", /was removed or replaced: this process stops and writes nothing more/);
  });

  it("tells its owner when the directory was moved", async (t) => {
    const { directory, lost } = await locked(t);
    t.after(() => rmSync(`${directory}-moved`, { recursive: true, force: true }));
    renameSync(directory, `${directory}-moved`);
    t.mock.timers.tick(HEARTBEAT_MS);
    assert.match(lost[0] ?? "", /is gone, because its run's directory was moved or removed: this process stops/);
  });

  it("is confirmed before each write, and once it was lost never again", async (t) => {
    const { path, lock } = await locked(t);
    lock.confirm();
    const ours = readFileSync(path);
    give(path, { pid: 4711 });
    assert.throws(() => lock.confirm(), /was taken by pid 4711/);
    assert.equal(lock.held, false);
    writeFileSync(path, ours);
    assert.throws(() => lock.confirm(), /was taken by pid 4711/);
  });

  for (const [who, changes] of Object.entries(elsewhere)) {
    it(`of an owner ${who} holds while its heart beats, whatever its clock says, and is taken over after that`, async (t) => {
      for (const offsetMs of [0, HOUR_MS, -HOUR_MS]) {
        const { directory, path, lock } = await locked(t);
        give(path, changes);
        const heart = setTimeout(() => beat(path, offsetMs), 100);
        await assert.rejects(RunLock.acquire(directory, { onLost: () => {} }), /is in use by pid \d+ on /);
        clearTimeout(heart);
        const taken = await RunLock.acquire(directory, QUICK);
        assert.match(taken.takenFrom?.who ?? "", /^pid \d+ on /);
        assert.equal(taken.takenFrom?.mayReturn, true);
        taken.release();
        lock.release();
        assert.ok(!existsSync(path));
        t.mock.timers.reset();
      }
    });
  }

  it("is shown as held by the clock where only the heartbeat can tell", async (t) => {
    const { directory, path } = await locked(t);
    give(path, elsewhere["on another machine"]);
    assert.deepEqual(runningProcess(directory), { pid: 4711, host: "elsewhere" });
    beat(path, -60_000);
    assert.equal(runningProcess(directory), undefined);
    assert.deepEqual(runningProcess(directory, 600_000), { pid: 4711, host: "elsewhere" });
  });

  it("of this machine is taken at once when its process is gone, and never while it lives, whatever is granted", async (t) => {
    const { directory, path } = await locked(t);
    utimesSync(path, new Date(0), new Date(0));
    const hasty = { onLost: () => {}, staleMs: 1 };
    await assert.rejects(RunLock.acquire(directory, hasty), new RegExp(`in use by pid ${process.pid} on`));
    give(path, { pidStart: "of another process" });
    const taken = await RunLock.acquire(directory, { onLost: () => assert.fail(), staleMs: 600_000 });
    assert.match(taken.takenFrom?.who ?? "", new RegExp(`^pid ${process.pid} on `));
    assert.equal(taken.takenFrom?.mayReturn, false);
    taken.release();
  });

  it("that was copied with its directory holds for nobody, and the original still holds", async (t) => {
    const { directory, path } = await locked(t);
    const copy = `${directory}-copy`;
    t.after(() => rmSync(copy, { recursive: true, force: true }));
    cpSync(directory, copy, { recursive: true });
    assert.equal(runningProcess(copy), undefined);
    (await RunLock.acquire(copy, { onLost: () => {} })).release();
    await assert.rejects(RunLock.acquire(directory, QUICK), /is in use by/);
    assert.ok(existsSync(path));
  });

  it("that does not say whose it is holds for nobody", async (t) => {
    for (const text of ["", "torn {", "null", "7", "{}", '{"pid":4711,"host":"elsewhere"}']) {
      const { directory, path, lock } = await locked(t);
      t.mock.timers.reset();
      writeFileSync(path, text);
      assert.equal(runningProcess(directory), undefined, text);
      const taken = await RunLock.acquire(directory, { onLost: () => {} });
      assert.equal(taken.takenFrom?.who, "an unreadable lock");
      taken.release();
      lock.release();
    }
  });
});
