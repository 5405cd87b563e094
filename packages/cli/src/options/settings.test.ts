import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import { assertRefused, coppice, document, file, SQUARES, temporaryDirectory } from "../../test/coppice.ts";

function recorded(place: string, id: string): Record<string, unknown> {
  return JSON.parse(readFileSync(join(place, ".coppice", "runs", id, "run.json"), "utf8")) as Record<string, unknown>;
}

describe("settings", () => {
  it("come from the command line before the environment, before the module, before the engine", async (t) => {
    const place = temporaryDirectory(t);
    const run = async (id: string, args: string[], environment: Record<string, string> = {}) => {
      document(await coppice(place, ["run", SQUARES, "--json", "--pool", "inline", "--id", id, ...args], environment));
      const { lookahead, retries, timeoutMs, seed } = recorded(place, id);
      return { lookahead, retries, timeoutMs, seed };
    };
    const environment = { COPPICE_LOOKAHEAD: "7", COPPICE_RETRIES: "2", COPPICE_TIMEOUT: "1.5m", COPPICE_SEED: "3" };
    const engine = { lookahead: 50, retries: 0, timeoutMs: 0, seed: 0 };
    assert.deepEqual(await run("a", []), engine);
    assert.deepEqual(await run("b", [], environment), { lookahead: 7, retries: 2, timeoutMs: 90_000, seed: 3 });
    assert.deepEqual(await run("c", ["--lookahead", "9", "--timeout", "500ms", "--seed", "0"], environment), {
      lookahead: 9,
      retries: 2,
      timeoutMs: 500,
      seed: 0,
    });
    assert.deepEqual(await run("d", [], { COPPICE_LOOKAHEAD: "", COPPICE_SEED: "" }), engine);
  });

  it("of the environment reach every command", async (t) => {
    const place = temporaryDirectory(t);
    const environment = { COPPICE_RUN_DIR: "elsewhere", COPPICE_JSON: "1", COPPICE_POOL: "inline" };
    assert.equal(document(await coppice(place, ["run", SQUARES], environment)).directory, join("elsewhere", "1"));
    const runs = JSON.parse((await coppice(place, ["runs"], environment)).stdout) as { id: string }[];
    assert.deepEqual(
      runs.map(({ id }) => id),
      ["1"],
    );
  });

  it("that are yes or no understand 0 and false", async (t) => {
    const place = temporaryDirectory(t);
    for (const no of ["0", "false", ""]) {
      const { stdout } = await coppice(place, ["runs"], { COPPICE_JSON: no });
      assert.equal(stdout, "no runs in .coppice/runs yet\n");
    }
  });

  it("of the environment are checked like those of the command line", async (t) => {
    const place = temporaryDirectory(t);
    const wrong = await coppice(place, ["run", SQUARES], { COPPICE_WORKERS: "-1" });
    assertRefused(wrong, /'--workers <n>' value '-1' from env 'COPPICE_WORKERS' is invalid/);
  });

  it("take a plain number for seconds", async (t) => {
    const place = temporaryDirectory(t);
    document(await coppice(place, ["run", SQUARES, "--json", "--pool", "inline", "--timeout", "2.5"]));
    assert.equal(recorded(place, "1").timeoutMs, 2500);
  });
});

describe("an error", () => {
  it("has no stack, unless COPPICE_DEBUG asks for it", async (t) => {
    const place = temporaryDirectory(t);
    file(place, "module.mjs", "throw new Error('oops')");
    const plain = await coppice(place, ["run", "module.mjs"]);
    assert.equal(plain.stderr, "coppice: module.mjs cannot be loaded: Error: oops (module.mjs:1)\n");
    const debug = await coppice(place, ["run", "module.mjs"], { COPPICE_DEBUG: "1" });
    assert.match(debug.stderr, /\n {4}at /);
    assert.equal(debug.code, 2);
  });
});
