import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, it } from "node:test";
import { fileURLToPath } from "node:url";

const here = fileURLToPath(new URL(".", import.meta.url));
const coppice = fileURLToPath(new URL("../../packages/cli/bin/coppice.js", import.meta.url));
// Debian's own Python has Debian's scikit-learn, whatever else is called python3.
const look = "from importlib.util import find_spec; assert find_spec('sklearn')";
const python = ["python3", "/usr/bin/python3"].find((each) => spawnSync(each, ["-c", look]).status === 0);
const skip = python === undefined && "there is no python3 with scikit-learn (Debian: python3-sklearn)";

describe("Hyperband with scikit-learn", { skip }, () => {
  it("trains the best on from their own checkpoints, and says which was best", (t) => {
    const folder = mkdtempSync(join(tmpdir(), "coppice-digits-"));
    t.after(() => rmSync(folder, { recursive: true, force: true }));
    const space = ["--space", join(here, "space.yaml"), "--budget", "epochs=1..9", "--trials", "9"];
    const command = ["--command", `${python} ${join(here, "train.py")}`, "--command-mode", "lines", "--workers", "2"];
    const args = ["tune", ...space, "--method", "hyperband", ...command, "--json"];
    const environment = { ...process.env, CHECKPOINTS: join(folder, "checkpoints") };
    const run = spawnSync(process.execPath, [coppice, ...args], { cwd: folder, env: environment, encoding: "utf8" });
    assert.equal(run.status, 0, run.stderr);
    const { best, evaluations } = JSON.parse(readFileSync(join(folder, "tuned/best.json"), "utf8"));
    assert.equal(evaluations, 13);
    assert.equal(best.budget, 9);
    assert.ok(best.value < 0.15, `${best.value} of the digits are wrong`);
    assert.equal(readdirSync(environment.CHECKPOINTS).length, 13);
  });
});
