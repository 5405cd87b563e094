import assert from "node:assert/strict";
import { join } from "node:path";
import { describe, it, type TestContext } from "node:test";
import { random } from "@coppice/engine";
import { cannotTrace, diskAt, type Ended, recordWrites, tryCuts } from "@coppice/engine/power-cut";
import { soak } from "@coppice/engine/soak";
import { COPPICE, coppice, plainEnvironment, SQUARES, temporaryDirectory } from "./coppice.ts";

const skip = cannotTrace();
const SHORT = ["--json", "--quiet"];

async function recorded(t: TestContext, args: readonly string[]) {
  const root = temporaryDirectory(t);
  const command = [process.execPath, COPPICE, ...args, "--id", "r", ...SHORT];
  const recording = await recordWrites(root, { command, cwd: root, env: plainEnvironment() });
  assert.equal(recording.code, 0, recording.stderr);
  const { digest } = JSON.parse(recording.stdout) as { readonly digest: string };
  return { recording, digest, directory: join(root, ".coppice", "runs", "r") };
}

async function typed(root: string, args: readonly string[]): Promise<Ended> {
  const { code, stdout, stderr } = await coppice(root, [...args, ...SHORT, "--pool", "inline"]);
  return code === 0 ? (JSON.parse(stdout) as { digest: string }) : { refused: stderr.trim() };
}

describe("a power cut", skip === undefined ? {} : { skip }, () => {
  it("at any write loses no run that has begun, repeats nothing that is in its journal, and changes no answer", async (t) => {
    const start = ["run", SQUARES, "--workers", "1"];
    const { recording, digest, directory } = await recorded(t, start);
    const { root } = recording;
    const report = await tryCuts(
      recording,
      {
        directory,
        digest,
        resume: () => typed(root, ["resume", "r"]),
        startAgain: () => typed(root, [...start, "--id", "r"]),
      },
      {
        chances: soak(1, 20),
        most: soak(40, 4000),
        draw: (name, count) =>
          random(7)
            .at(name)
            .integer(0, count - 1),
      },
    );
    assert.deepEqual(report.problems, []);
    assert.ok(report.resumed > 0 && report.begunAgain > 0, JSON.stringify(report));
  });

  it("with --durable loses no outcome that the search was told", async (t) => {
    const { recording, directory } = await recorded(t, ["run", SQUARES, "--workers", "1", "--durable"]);
    const journal = join(directory, "journal.ndjson");
    const outcomes = (text: Buffer | undefined) => (text?.toString().split('"type":"completed"').length ?? 1) - 1;
    let checked = 0;
    for (const [index, operation] of recording.operations.entries()) {
      if (operation.kind !== "write" || operation.path !== journal) continue;
      // Before a journal write: all earlier ones are sure, so what a search was told is.
      const disk = diskAt(recording, index);
      const sure = disk.after("none").get(".coppice/runs/r/journal.ndjson");
      if (!Buffer.isBuffer(sure)) continue;
      assert.equal(outcomes(sure), outcomes(disk.read(journal)));
      checked += outcomes(sure);
    }
    assert.ok(checked > 0);
  });
});
