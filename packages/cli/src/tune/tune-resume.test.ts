import assert from "node:assert/strict";
import type { ChildProcess } from "node:child_process";
import { appendFileSync, existsSync } from "node:fs";
import { join } from "node:path";
import { after, describe, it } from "node:test";
import { generateSeasons, writeSeasonFiles } from "@coppice/projections";
import { launch } from "../../test/coppice.ts";
import { contents, TuneFolder } from "../../test/tune-folder.ts";

const trial = new TuneFolder();
after(() => trial.remove());
const { folder, baseline, small } = trial;
const tune = (...args: readonly string[]) => trial.coppice("tune", ...args);
const run = (...args: readonly string[]) => trial.coppice(...args);

describe("a tuning that was interrupted", () => {
  it("killed at any moment and resumed, writes the same files", async () => {
    const args = [...small, "--test-values", "2", "--max-passes", "2", "--holdout", "2102", "--quiet"];
    const whole = await tune(...args, "--output", "whole", "--id", "whole");
    assert.equal(whole.code, 0, whole.stderr);
    const first = launch(folder, ["tune", ...args, "--output", "parts", "--id", "parts"]);
    await killedAfterLines(first, 4);
    const second = launch(folder, ["resume", "parts", "--quiet"]);
    // What was kept, and the rounds it replays, are said first.
    await killedAfterLines(second, 9);
    assert.equal(existsSync(join(folder, "parts/report.json")), false, "both were killed before the end");
    const last = await run("resume", "parts", "--quiet");
    assert.equal(last.code, 0, last.stderr);
    assert.deepEqual(contents(join(folder, "parts")), contents(join(folder, "whole")));
    assert.equal(last.stdout.replaceAll("parts", "whole"), whole.stdout);
  });

  it("refuses to resume on data that changed", async () => {
    const copy = join(folder, "changing");
    writeSeasonFiles(copy, generateSeasons(31, ["2101"]));
    const args = [
      "--data",
      copy,
      "--baseline",
      baseline,
      "--no-use-processes",
      "--num-params",
      "1",
      "--test-values",
      "1",
    ];
    assert.equal((await tune(...args, "--id", "changed", "--output", "changed")).code, 0);
    appendFileSync(join(copy, "games.csv"), "2101,17,ALD,ASH,1,1,False,False,USA\n");
    const { code, stderr } = await run("resume", "changed");
    assert.equal(code, 2);
    assert.match(stderr, /^coppice: .*input/m);
    assert.equal(stderr.trim().split("\n").length, 1);
  });
});

/** Kills a process for good once it has said so many lines. */
function killedAfterLines(child: ChildProcess, lines: number): Promise<void> {
  return new Promise((resolve) => {
    let seen = 0;
    child.stderr?.on("data", (text: Buffer) => {
      seen += text.toString().split("\n").length - 1;
      if (seen >= lines) child.kill("SIGKILL");
    });
    child.on("close", () => resolve());
  });
}
