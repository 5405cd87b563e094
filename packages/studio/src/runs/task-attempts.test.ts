import assert from "node:assert/strict";
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { inline, type RunEvent, threads } from "@coppice/engine";
import { beginRun } from "../../test/recorded-run.ts";
import type { TaskDetail } from "../wire.ts";
import { TaskTable } from "./task-table.ts";

/** A log as a run's reader writes it. */
const log = (lines: readonly (readonly [at: number, text: string, fields?: object])[]) =>
  lines
    .map(([at, msg, fields = {}]) =>
      JSON.stringify({ level: "info", time: new Date(at).toISOString(), ...fields, msg }),
    )
    .join("\n")
    .concat("\n");

describe("the attempts at a task", () => {
  const scratch = mkdtempSync(join(tmpdir(), "coppice-attempts-"));
  const directory = join(scratch, "run");
  let times: ReadonlyMap<number, number>;
  const detailOf = (ask: number): TaskDetail => {
    const table = new TaskTable(directory);
    table.catchUp();
    const detail = table.detail(ask);
    assert.ok(detail !== undefined);
    return detail;
  };

  before(async () => {
    const run = await beginRun(directory, { tasks: 12, failEvery: 6, delayMs: 2, pool: inline() });
    const seen: RunEvent[] = [];
    run.subscribe((event) => seen.push(event));
    await run.finished;
    times = new Map(
      seen.flatMap((event) => (event.type === "completed" || event.type === "failed" ? [[event.ask, event.at]] : [])),
    );
  });
  after(() => rmSync(scratch, { recursive: true, force: true }));

  const at = (ask: number): number => times.get(ask) ?? assert.fail(`task ${ask} has no end`);

  it("have what the task logged, whether it failed or not, and not what others did", () => {
    const lines = [...times.keys()].flatMap((ask) => [
      [at(ask), `of ${ask}`, { task: ask }] as const,
      [at(ask), `task ${ask} done in 2 s`, { task: ask, key: `n=${ask}`, ms: 2000 }] as const,
    ]);
    writeFileSync(join(directory, "logs/worker-0.log"), log(lines));
    for (const ask of [3, 5]) {
      const { attemptsMade } = detailOf(ask);
      assert.deepEqual(
        attemptsMade.map((attempt) => [attempt.ok, attempt.log?.own, attempt.log?.unmarked]),
        [[ask === 3, [`of ${ask}`], []]],
      );
    }
  });

  it("say of lines without a task how many others the worker had", () => {
    writeFileSync(join(directory, "logs/worker-0.log"), log([[at(3), "from a program"]]));
    const [{ log: found }] = detailOf(3).attemptsMade;
    assert.deepEqual(found?.own, []);
    assert.deepEqual(found?.unmarked, ["from a program"]);
    assert.ok(found !== undefined && found.beside >= 0);
    assert.equal(detailOf(0).attemptsMade[0].log, undefined, "it ended before that");
  });

  it("read the end of a long log, and the part of it that was put aside", () => {
    const filler = Array.from({ length: 30_000 }, (_, n) => [at(3) - 30_000 + n, "x".repeat(100)] as const);
    const later = Array.from({ length: 30_000 }, (_, n) => [at(11) + 1000 + n, "y".repeat(100)] as const);
    writeFileSync(join(directory, "logs/worker-0.log"), log([...filler, [at(3), "here", { task: 3 }], ...later]));
    assert.deepEqual(detailOf(3).attemptsMade[0].log?.own, ["here"]);
    writeFileSync(join(directory, "logs/worker-0.earlier.log"), log([[at(3), "aside", { task: 3 }]]));
    writeFileSync(join(directory, "logs/worker-0.log"), log(later));
    assert.deepEqual(detailOf(3).attemptsMade[0].log?.own, ["aside"]);
  });

  it("follow no link out of the run, and read no line that is not a log's", () => {
    rmSync(join(directory, "logs/worker-0.earlier.log"));
    rmSync(join(directory, "logs/worker-0.log"));
    writeFileSync(join(scratch, "secret.log"), log([[at(3), "secret", { task: 3 }]]));
    symlinkSync(join(scratch, "secret.log"), join(directory, "logs/worker-0.log"));
    assert.equal(detailOf(3).attemptsMade[0].log, undefined);
    rmSync(join(directory, "logs/worker-0.log"));
    writeFileSync(join(directory, "logs/worker-0.log"), `null\n{"level":"info","time":"yesterday"\n${"z".repeat(2e6)}`);
    assert.equal(detailOf(3).attemptsMade[0].log, undefined);
  });

  it("name what was given to a worker and never answered", async () => {
    const cut = join(scratch, "cut");
    const run = await beginRun(cut, { tasks: 1000, delayMs: 50, pool: threads({ workers: 1 }) });
    run.subscribe((event) => {
      if (event.type === "completed" && event.ask === 1) run.interrupt("enough");
    });
    await run.finished.catch(() => {});
    const table = new TaskTable(cut);
    table.catchUp();
    const texts = Array.from({ length: 20 }, (_, ask) => table.detail(ask)?.attemptsMade ?? []).flat();
    assert.ok(texts.some(({ attempt, ok, text }) => attempt === undefined && !ok && /not answered: int/.test(text)));
  });
});
