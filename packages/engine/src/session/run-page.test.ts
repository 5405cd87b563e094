import assert from "node:assert/strict";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, describe, it } from "node:test";
import { candidate, Scripted, when } from "../../test/searches.ts";
import { inline } from "../pools/in-process.ts";
import type { PreparedRun } from "./prepared-run.ts";
import { PAGE_NAME } from "./run-page.ts";
import { type RunOrigin, runToEnd, type SessionOptions } from "./run-to-end.ts";

describe("the page of a run", () => {
  const runs = mkdtempSync(join(tmpdir(), "coppice-run-page-"));
  after(() => rmSync(runs, { recursive: true, force: true }));

  const session = (origin: RunOrigin, options: SessionOptions = {}, tool: Partial<PreparedRun> = {}) => {
    const prepared: PreparedRun = {
      tool: "test",
      record: () => null,
      search: new Scripted(candidate("a"), when(1, candidate("b")), when(2, { kind: "done" })),
      evaluator: new URL("../../test/evaluators/echo.ts", import.meta.url),
      ...tool,
    };
    return runToEnd(prepared, origin, { pool: async () => inline(), ...options });
  };
  const read = (...path: string[]) => readFileSync(join(runs, ...path), "utf8");

  it("is made by whoever can, after the tool's own files, wherever it is wanted, and anew only when something happened", async () => {
    const made: string[] = [];
    const page = async (directory: string) =>
      `${made.push(directory)} ${existsSync(join(directory, "own.txt")) ? "after" : "before"}`;
    const tool = {
      pages: () => [join(runs, "copy.html")],
      over: (directory: string) => writeFileSync(join(directory, "own.txt"), ""),
    };
    const { directory } = await session({ runs, id: "one" }, { page }, tool);
    assert.deepEqual(made, [directory]);
    assert.deepEqual([read("one", PAGE_NAME), read("copy.html")], ["1 after", "1 after"]);
    await session({ resume: directory }, { page }, tool);
    assert.deepEqual([made.length, read("one", PAGE_NAME)], [1, "1 after"]);
    rmSync(join(runs, "copy.html"));
    await session({ resume: directory }, { page }, tool);
    assert.deepEqual([read("one", PAGE_NAME), read("copy.html")], ["1 after", "2 after"]);
  });

  it("is made of a run that was interrupted, and again when it went on", async () => {
    let made = 0;
    const page = async () => String(++made);
    const tool = { pages: () => [join(runs, "done.html")] };
    const stopped = await session(
      { runs, id: "two" },
      {
        page,
        onRun: (run) => run.subscribe((event) => event.type === "completed" && run.interrupt("enough")),
      },
      tool,
    );
    assert.deepEqual([stopped.end.state, read("two", PAGE_NAME)], ["interrupted", "1"]);
    assert.equal(existsSync(join(runs, "done.html")), false);
    await session({ resume: join(runs, "two") }, { page }, tool);
    assert.deepEqual([read("two", PAGE_NAME), read("done.html")], ["2", "2"]);
  });

  it("that cannot be made costs a warning, not the result; where nobody makes one there is none", async (t) => {
    const warned = t.mock.method(process, "emitWarning", () => {});
    const broken = await session({ runs, id: "three" }, { page: async () => assert.fail("no ink") });
    assert.equal(broken.end.state, "done");
    assert.match(String(warned.mock.calls[0].arguments[0]), /page could not be written: no ink/);
    await session({ runs, id: "four" });
    for (const id of ["three", "four"]) assert.equal(existsSync(join(runs, id, PAGE_NAME)), false);
  });
});
