import assert from "node:assert/strict";
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it, type TestContext } from "node:test";
import { inline, type PoolFactory } from "@coppice/engine";
import { registerPool } from "@coppice/engine/pools";
import { file, SQUARES, temporaryDirectory } from "../../test/coppice.ts";
import { runCommandLine } from "../command-line.ts";

let opened = 0;

// A kind that another package might add: here it is `inline` under a name of its own.
registerPool({
  kind: "toy",
  description: "a toy",
  oneAtATime: true,
  endsChildren: false,
  make: async (options): Promise<PoolFactory> => {
    const { open } = inline(options);
    return {
      kind: "toy",
      workers: 1,
      open: (job, listener) => {
        opened++;
        return open(job, listener);
      },
    };
  },
});

/** Types `coppice …` in this process: its exit code, and what went to standard error. */
async function typed(t: TestContext, args: readonly string[]): Promise<{ code: number; error: string }> {
  const { mock } = t.mock.method(process.stderr, "write", () => true);
  try {
    await runCommandLine(args);
    const error = mock.calls.map(({ arguments: [piece] }) => String(piece)).join("");
    return { code: Number(process.exitCode ?? 0), error };
  } finally {
    process.exitCode = undefined;
    mock.restore();
  }
}

describe("--pool", () => {
  it("takes a kind that a package has added, and a resume takes it from the record", async (t) => {
    const place = temporaryDirectory(t);
    const runs = join(place, "runs");
    const trouble = file(place, "trouble", "");
    const args = ["--pool", "toy", "--id", "toy", "--run-dir", runs, "--json", "--on-failure", "stop"];
    const options = ["--option", "failAt=3", "--option", `failWhile=${trouble}`];
    assert.equal((await typed(t, ["run", SQUARES, ...args, ...options])).code, 1);
    assert.equal(JSON.parse(readFileSync(join(runs, "toy", "run.json"), "utf8")).pool.kind, "toy");
    rmSync(trouble);
    assert.equal((await typed(t, ["resume", "toy", "--run-dir", runs, "--json"])).code, 0);
    assert.equal(opened, 2);
  });

  it("asks the kind whether it can do with several workers", async (t) => {
    for (const kind of ["toy", "inline"]) {
      const refused = await typed(t, ["run", SQUARES, "--pool", kind, "--workers", "2"]);
      assert.equal(refused.code, 2);
      assert.match(
        refused.error,
        new RegExp(`--pool ${kind} evaluates one at a time: leave --workers 2 out, or use threads`),
      );
    }
  });

  it("is needed for what only another kind can use, and that must be right", async (t) => {
    t.after(() => delete process.env.COPPICE_REDIS);
    const runs = join(temporaryDirectory(t), "runs");
    const wrong: [string[], RegExp][] = [
      [["--redis", "http://x"], /the address of the Redis cannot be read: write redis:/],
      [["--redis", "redis://x"], /--redis is for --pool cluster, and this run's pool is threads\n$/],
      [["--redis", "redis://x", "--pool", "inline"], /--redis is for --pool cluster, and this run's pool is inline\n$/],
    ];
    for (const [args, line] of wrong) {
      const { code, error } = await typed(t, ["run", SQUARES, "--run-dir", runs, ...args]);
      assert.equal(code, 2);
      assert.match(error, line);
    }
    assert.ok(!existsSync(runs));
  });

  it("must be given for a run that was started on a kind which is not there", async (t) => {
    const runs = join(temporaryDirectory(t), "runs");
    assert.equal((await typed(t, ["run", SQUARES, "--pool", "inline", "--id", "far", "--run-dir", runs])).code, 0);
    const record = join(runs, "far", "run.json");
    writeFileSync(record, readFileSync(record, "utf8").replace('"kind": "inline"', '"kind": "moon"'));
    for (const command of ["resume", "verify"]) {
      const refused = await typed(t, [command, "far", "--run-dir", runs]);
      assert.equal(refused.code, 2);
      assert.match(refused.error, /no pool "moon" here .*run far was started on one: choose another with --pool/);
      assert.equal((await typed(t, [command, "far", "--run-dir", runs, "--pool", "inline"])).code, 0);
    }
  });
});
