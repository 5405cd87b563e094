import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, describe, it } from "node:test";
import { candidate, Scripted, until, when } from "../../test/searches.ts";
import { first, go, values } from "../../test/trial.ts";

const directory = mkdtempSync(join(tmpdir(), "coppice-driver-"));
after(() => rmSync(directory, { recursive: true, force: true }));

describe("driver: withdraw", () => {
  it("frees the slot at once and aborts work that nobody needs", async () => {
    const aborted: string[] = [];
    const script = [
      candidate("a"),
      candidate("b"),
      when(1, { kind: "withdraw", ask: 1 }),
      candidate("c"),
      until(2),
    ] as const;
    const { result, events } = await go(new Scripted(script), {
      pooling: { choose: first, holds: (key) => key === "b", onAbort: (key) => aborted.push(key) },
    });
    assert.deepEqual(
      values(result).map(([ask]) => ask),
      [0, 2],
    );
    assert.deepEqual(aborted, ["b"]);
    assert.ok(events.some((event) => event.type === "cancelled" && event.ask === 1 && event.reason === "withdrawn"));
  });

  it("does not abort work that another unanswered ask needs, nor work that is asked for again at once", async () => {
    const aborted: string[] = [];
    let evaluated = 0;
    const script = [
      candidate("x"),
      candidate("shared"),
      candidate("shared"),
      when(1, { kind: "withdraw", ask: 1 }),
      { kind: "withdraw", ask: 2 },
      candidate("shared"),
      until(2),
    ] as const;
    let held = true;
    const { result } = await go(new Scripted(script), {
      pooling: {
        choose: first,
        holds: (key) => {
          if (key !== "shared") return false;
          const wasHeld = held;
          held = false;
          return wasHeld;
        },
        onAbort: (key) => aborted.push(key),
        onEvaluate: (key) => key === "shared" && evaluated++,
      },
    });
    assert.deepEqual(aborted, []);
    assert.equal(evaluated, 1);
    assert.deepEqual(values(result)[1], [3, "shared"]);
  });

  it("keeps a value that arrives after the abort: journaled, not told, used when the key is asked again", async () => {
    const run = join(directory, "late");
    let evaluated = 0;
    const script = [
      candidate("a"),
      candidate("late"),
      when(1, { kind: "withdraw", ask: 1 }),
      candidate("b"),
      until(2),
      when(3, candidate("late")),
      until(4),
    ] as const;
    let holding = true;
    const { result } = await go(new Scripted(script), {
      journal: { directory: run },
      pooling: {
        choose: first,
        lateValues: true,
        holds: (key) => key === "late" && holding,
        onAbort: () => {
          holding = false;
        },
        onEvaluate: (key) => key === "late" && evaluated++,
      },
    });
    assert.equal(evaluated, 1);
    assert.deepEqual(
      values(result)
        .map(([ask]) => ask)
        .slice(0, 4),
      [0, 2, 3, 4],
    );
    assert.match(readFileSync(join(run, "journal.ndjson"), "utf8"), /"type":"completed".*"key":"late"/);
  });

  it("takes a failure after the abort for no outcome: asked again, it is evaluated again", async () => {
    let tries = 0;
    const search = new Scripted(
      candidate("a"),
      candidate("b"),
      when(1, { kind: "withdraw", ask: 1 }),
      candidate("c"),
      when(2, candidate("b")),
      until(3),
    );
    const { result } = await go(search, {
      evaluate: (value, key) => {
        if (key === "b" && tries++ === 0) throw new Error("was being aborted");
        return value;
      },
      pooling: { choose: first, lateValues: true, holds: (key) => key === "b" && tries === 0 },
    });
    assert.deepEqual(values(result), [
      [0, "a"],
      [2, "c"],
      [3, "b"],
    ]);
    assert.equal(tries, 2);
  });

  it("says that an ask which is not out cannot be withdrawn", async () => {
    for (const ask of [7, -1, 0.5]) {
      await assert.rejects(
        go(new Scripted([candidate("a"), { kind: "withdraw", ask }])),
        /withdraw names ask .* not outstanding/,
      );
    }
    const told = new Scripted([candidate("a"), when(1, { kind: "withdraw", ask: 0 })]);
    await assert.rejects(go(told), /withdraw names ask 0, which is not outstanding/);
  });
});
