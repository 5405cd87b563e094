import assert from "node:assert/strict";
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it, type TestContext } from "node:test";
import { type AttackedRun, type Harm, launch, loseReader, type NotHere } from "@coppice/engine/attacks";
import { COPPICE, coppice, document, SQUARES, temporaryDirectory } from "../../test/coppice.ts";

const UNHARMED: Harm = { lost: 0, repeated: 0, wrong: 0, leftRunning: 0 };

/** `coppice run` of squares that stands still after six of them until it is let go. */
async function squares(t: TestContext, ...options: string[]): Promise<AttackedRun> {
  const cwd = temporaryDirectory(t);
  const held = join(cwd, "held");
  const { digest } = document(await coppice(cwd, ["run", SQUARES, "--json", ...options]));
  writeFileSync(held, "");
  const flags = ["--run-dir", "runs", "--workers", "2"];
  return {
    cwd,
    directory: join(cwd, "runs", "1"),
    start: [process.execPath, COPPICE, "run", SQUARES, ...flags, "--option", `heldWhile=${held}`, ...options],
    resume: [process.execPath, COPPICE, "resume", "1", ...flags],
    letGo: () => rmSync(held),
    digest: String(digest),
  };
}

function assertUnharmed(t: TestContext, harm: Harm | NotHere): void {
  if ("skipped" in harm) t.skip(harm.skipped);
  else assert.deepEqual(harm, UNHARMED);
}

describe("a run whose reader goes away", { concurrency: 2 }, () => {
  it("goes on when it was `… 2>&1 | head -1`", async (t) => {
    assertUnharmed(t, await loseReader(await squares(t), "pipe"));
  });

  it("goes on when standard error is a full disk", async (t) => {
    assertUnharmed(t, await loseReader(await squares(t), "full disk"));
  });

  it("goes on with nohup when the terminal is closed", async (t) => {
    assertUnharmed(t, await loseReader(await squares(t), "terminal of nohup"));
  });

  it("ends with the terminal it was started on, and can be resumed", async (t) => {
    assertUnharmed(t, await loseReader(await squares(t), "terminal"));
  });

  it("says in one line that its result could not be written", async (t) => {
    const run = await squares(t, "--quiet");
    run.letGo();
    const shell = ["/bin/sh", "-c", 'exec "$0" "$@" >/dev/full', ...run.start];
    const { code, stderr } = await launch(run, shell).ended;
    assert.match(stderr, /coppice: cannot write to standard output: ENOSPC: [^\n]*\n$/);
    assert.doesNotMatch(stderr, /\n\s+at /);
    assert.equal(code, 1);
  });
});
