import assert from "node:assert/strict";
import { execFile, spawn } from "node:child_process";
import {
  closeSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { after, describe, it } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import fc from "fast-check";
import { UsageError } from "../usage-error.ts";
import { cacheScope, openCache } from "./evaluation-cache.ts";
import { CacheError } from "./schema.ts";

const run = promisify(execFile);
const writer = fileURLToPath(new URL("../../test/cache-writer.ts", import.meta.url));
const directory = mkdtempSync(join(tmpdir(), "coppice-cache-"));
after(() => rmSync(directory, { recursive: true, force: true }));
let files = 0;
const freshPath = () => join(directory, `${files++}`, "cache.sqlite");

describe("an evaluation cache", () => {
  it("gives back exactly what was put: at once, after the turn, and after reopening", async () => {
    const path = freshPath();
    const cache = openCache(path);
    const value = JSON.stringify({ text: "naïve ✓ \u0000 😀", list: [1, 2.5, null] });
    cache.put("a", "key\u0000with a zero", value);
    assert.equal(cache.get("a", "key\u0000with a zero"), value);
    await new Promise(setImmediate);
    await new Promise(setImmediate);
    const other = openCache(path);
    assert.equal(other.get("a", "key\u0000with a zero"), value);
    assert.equal(other.get("a", "key"), undefined);
    other.close();
    cache.close();
    const again = openCache(path);
    assert.equal(again.get("a", "key\u0000with a zero"), value);
    again.close();
  });

  it("agrees with a Map whatever is put, got, flushed and reopened", () => {
    const scope = fc.constantFrom("a", "");
    const key = fc.constantFrom("", "x", "\u0000");
    const step = fc.oneof(
      fc.record({ do: fc.constant("put" as const), scope, key, value: fc.json() }),
      fc.record({ do: fc.constant("get" as const), scope, key }),
      fc.record({ do: fc.constantFrom("flush" as const, "reopen" as const) }),
    );
    fc.assert(
      fc.property(fc.array(step, { minLength: 20, maxLength: 40 }), (steps) => {
        const path = freshPath();
        const model = new Map<string, string>();
        let cache = openCache(path);
        for (const next of steps) {
          if (next.do === "put") {
            cache.put(next.scope, next.key, next.value);
            const id = JSON.stringify([next.scope, next.key]);
            if (!model.has(id)) model.set(id, next.value);
          } else if (next.do === "get") {
            assert.equal(cache.get(next.scope, next.key), model.get(JSON.stringify([next.scope, next.key])));
          } else if (next.do === "flush") {
            cache.flush();
          } else {
            cache.close();
            cache = openCache(path);
          }
        }
        cache.close();
      }),
      { numRuns: 100 },
    );
  });

  it("keeps the first value of a key", () => {
    const path = freshPath();
    const one = openCache(path);
    const other = openCache(path);
    one.put("s", "k", "1");
    one.put("s", "k", "2");
    one.flush();
    other.put("s", "k", "3");
    other.flush();
    assert.deepEqual([one.get("s", "k"), other.get("s", "k")], ["1", "1"]);
    other.put("s", "k", "4");
    assert.equal(other.get("s", "k"), "1");
    one.close();
    other.close();
  });

  it("writes a turn's puts in one transaction", async () => {
    const path = freshPath();
    const cache = openCache(path);
    const reader = openCache(path);
    for (let i = 0; i < 500; i++) cache.put("s", String(i), "1");
    assert.equal(reader.get("s", "0"), undefined);
    await new Promise(setImmediate);
    await new Promise(setImmediate);
    for (let i = 0; i < 500; i++) assert.equal(reader.get("s", String(i)), "1");
    cache.close();
    reader.close();
  });

  it("does not wait for the turn to end when huge values pile up", () => {
    const path = freshPath();
    const cache = openCache(path);
    const reader = openCache(path);
    const huge = JSON.stringify("x".repeat(5 * 2 ** 20));
    for (let i = 0; i < 4; i++) cache.put("s", String(i), huge);
    assert.equal(reader.get("s", "0"), huge);
    cache.close();
    reader.close();
  });

  it("never stores a key that UTF-8 cannot hold, rather than confuse two of them", () => {
    const cache = openCache(freshPath());
    cache.put("s", "\ud800", "1");
    cache.flush();
    assert.equal(cache.get("s", "\ud800"), undefined);
    assert.equal(cache.get("s", "\ufffd"), undefined);
    cache.close();
  });

  it("can be closed twice and is not used afterwards", () => {
    const path = freshPath();
    const cache = openCache(path);
    cache.close();
    cache.close();
    assert.throws(() => cache.get("s", "k"), new CacheError(`${path}: this cache is closed`));
    assert.throws(() => cache.put("s", "k", "1"), CacheError);
  });
});

describe("several processes", () => {
  it("create and fill one cache at the same time without losing an entry", { timeout: 300_000 }, async () => {
    const path = freshPath();
    const count = 1000;
    const printed = await Promise.all(
      ["a", "b", "c", "d"].map((name) => run(process.execPath, [writer, path, name, String(count)])),
    );
    assert.deepEqual(
      printed.map(({ stdout, stderr }) => [stdout.trim(), stderr]),
      Array.from({ length: 4 }, () => [String(count), ""]),
    );
    const database = new DatabaseSync(path);
    // Each writer's own half, and the half they share once.
    assert.equal(database.prepare("SELECT count(*) AS n FROM evaluation").get()?.n, 4 * (count / 2) + count / 2);
    assert.equal(database.prepare("PRAGMA integrity_check").get()?.integrity_check, "ok");
    database.close();
  });

  it("may be killed in the middle of writing: what is there is whole", { timeout: 300_000 }, async () => {
    const path = freshPath();
    for (let round = 0; round < 3; round++) {
      const child = spawn(process.execPath, [writer, path, `killed-${round}`, "10000000"], { stdio: "ignore" });
      const ended = new Promise((resolve) => child.once("exit", resolve));
      await entriesAtLeast(path, 200 * (round + 1));
      child.kill("SIGKILL");
      await ended;
    }
    const database = new DatabaseSync(path);
    assert.equal(database.prepare("PRAGMA integrity_check").get()?.integrity_check, "ok");
    const keys = database.prepare("SELECT key FROM evaluation").all();
    database.close();
    assert.ok(keys.length >= 600);
    const cache = openCache(path);
    for (const { key } of keys) assert.equal(cache.get("scope", String(key)), JSON.stringify({ key }));
    cache.close();
  });
});

describe("a file that is no cache", () => {
  it("is refused by name and left as it was: a text, another program's database, a newer format", () => {
    const path = freshPath();
    mkdirSync(join(path, ".."), { recursive: true });

    writeFileSync(path, "notes, not a database\n".repeat(100));
    const text = readFileSync(path);
    assert.throws(
      () => openCache(path),
      new UsageError(`${path} is not an evaluation cache: it is not a database; name a different file`),
    );
    assert.deepEqual(readFileSync(path), text);
    rmSync(path);

    const foreign = new DatabaseSync(path);
    foreign.exec("CREATE TABLE letters (text TEXT); INSERT INTO letters VALUES ('dear')");
    foreign.close();
    const bytes = readFileSync(path);
    assert.throws(
      () => openCache(path),
      new UsageError(
        `${path} is not an evaluation cache: it is the database of another program; name a different file`,
      ),
    );
    assert.deepEqual(readFileSync(path), bytes);
    rmSync(path);

    openCache(path).close();
    const newer = new DatabaseSync(path);
    newer.exec("PRAGMA user_version = 7");
    newer.close();
    assert.throws(() => openCache(path), /it has format 7, and this release reads format 1/);
  });

  it("is refused when it is a directory", () => {
    assert.throws(
      () => openCache(directory),
      new RegExp(`^UsageError: ${directory}: the evaluation cache cannot be used`),
    );
  });

  it("is diagnosed when its pages or a value are damaged", () => {
    const path = freshPath();
    const cache = openCache(path);
    for (let i = 0; i < 2000; i++) cache.put("s", `key-${i}`, JSON.stringify("v".repeat(200)));
    cache.close();
    const intact = readFileSync(path);

    const flipped = Buffer.from(intact);
    flipped[flipped.lastIndexOf("vvvv")] ^= 1;
    writeFileSync(path, flipped);
    assert.throws(
      () => readAll(path, 2000),
      /^CacheError: .*cache.sqlite: the evaluation cache is damaged \(the entry for/,
    );

    writeFileSync(path, intact);
    const file = openSync(path, "r+");
    for (let page = 2; page < intact.length / 4096; page++) writeSync(file, Buffer.alloc(64, 0xff), 0, 64, page * 4096);
    closeSync(file);
    assert.throws(
      () => readAll(path, 2000),
      /^CacheError: .*cache.sqlite: the evaluation cache is damaged .*delete the file/,
    );
  });
});

describe("writing that fails", () => {
  it("does not strike the run, and is told by flush and close", () => {
    const path = freshPath();
    const cache = openCache(path);
    cache.put("s", "before", "1");
    cache.flush();
    const saboteur = new DatabaseSync(path);
    saboteur.exec("CREATE TRIGGER full BEFORE INSERT ON evaluation BEGIN SELECT RAISE(ABORT, 'disk is full'); END");
    saboteur.close();
    cache.put("s", "lost", "2");
    assert.throws(() => cache.flush(), new CacheError(`${path}: the evaluation cache cannot be used (disk is full)`));
    cache.put("s", "also lost", "3");
    assert.deepEqual([cache.get("s", "before"), cache.get("s", "lost")], ["1", undefined]);
    assert.throws(() => cache.close(), /disk is full/);
    cache.close();
  });
});

describe("prune", () => {
  it("removes the oldest entries first until the rest fits, and shrinks the file", () => {
    const path = freshPath();
    const cache = openCache(path);
    const value = JSON.stringify("x".repeat(998));
    for (let batch = 0; batch < 4; batch++) {
      for (let i = 0; i < 250; i++) cache.put("s", `${batch}-${String(i).padStart(3, "0")}`, value);
      cache.flush();
    }
    cache.close();
    const before = statSync(path).size;
    const again = openCache(path);
    assert.equal(again.prune({ maxBytes: 500 * 1005 }), 500);
    assert.equal(again.get("s", "1-249"), undefined);
    assert.equal(again.get("s", "2-000"), value);
    assert.equal(again.prune({ maxBytes: 500 * 1005, maxAgeMs: 3_600_000 }), 0);
    again.close();
    assert.ok(statSync(path).size < before * 0.6, `${statSync(path).size} of ${before} bytes`);
  });

  it("removes what is older than the limit", () => {
    const path = freshPath();
    const cache = openCache(path);
    cache.put("s", "old", "1");
    cache.put("s", "new", "2");
    cache.flush();
    const clock = new DatabaseSync(path);
    clock.exec("UPDATE evaluation SET writtenMs = writtenMs - 86400000 WHERE key = 'old'");
    clock.close();
    assert.equal(cache.prune({ maxAgeMs: 3_600_000 }), 1);
    assert.deepEqual([cache.get("s", "old"), cache.get("s", "new")], [undefined, "2"]);
    cache.close();
  });
});

describe("a scope", () => {
  it("differs when anything an evaluation depends on differs", () => {
    const base = { evaluatorVersion: "1", context: "{}", seed: 1 };
    const scopes = [
      base,
      { ...base, evaluatorVersion: "2" },
      { ...base, context: "[]" },
      { ...base, seed: 2 },
      { ...base, inputs: "" },
      { ...base, inputs: "abc" },
      { ...base, evaluatorVersion: '1","{}' },
    ];
    assert.equal(new Set(scopes.map(cacheScope)).size, scopes.length);
    assert.equal(cacheScope(base), cacheScope({ ...base }));
  });
});

function readAll(path: string, count: number): void {
  const cache = openCache(path);
  try {
    for (let i = 0; i < count; i++) cache.get("s", `key-${i}`);
  } finally {
    cache.close();
  }
}

/** Resolves when another process has written that many entries. */
async function entriesAtLeast(path: string, count: number): Promise<void> {
  for (;;) {
    await new Promise((resolve) => setTimeout(resolve, 20));
    try {
      const database = new DatabaseSync(path, { readOnly: true, timeout: 5000 });
      const found = database.prepare("SELECT count(*) AS n FROM evaluation").get()?.n;
      database.close();
      if (Number(found) >= count) return;
    } catch {
      // Not there yet.
    }
  }
}
