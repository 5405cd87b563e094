import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, it } from "node:test";
import { fileURLToPath } from "node:url";

const here = (file: string) => fileURLToPath(new URL(file, import.meta.url));

describe("tuning an annealing schedule", () => {
  it("finds shorter tours on every map, from the command line", { timeout: 300_000 }, () => {
    const folder = mkdtempSync(join(tmpdir(), "coppice-annealing-"));
    try {
      const args = ["tune", "--evaluator", here("./judge.ts"), "--space", here("./space.json")];
      const small = ["--test-values", "6", "--max-passes", "1", "--max-workers", "2", "--no-use-processes", "--json"];
      const coppice = here("../../packages/cli/bin/coppice.js");
      const stdout = execFileSync(process.execPath, [coppice, ...args, ...small, "--output", "best"], {
        cwd: folder,
        encoding: "utf8",
        stdio: ["ignore", "pipe", "ignore"],
      });
      const report = JSON.parse(stdout) as {
        configurations: number;
        horizons: Record<string, { baseline: number; tuned: number }>;
      };
      assert.equal(report.configurations, 3 * 7 * 4);
      assert.deepEqual(Object.keys(report.horizons), ["scattered", "clustered", "ring"]);
      for (const [horizon, { baseline, tuned }] of Object.entries(report.horizons)) {
        assert.ok(tuned < baseline, `${horizon}: ${tuned} against ${baseline}`);
      }
      const schedule = JSON.parse(readFileSync(join(folder, "best/ring.json"), "utf8"));
      assert.deepEqual(Object.keys(schedule), ["hot", "cold", "curve", "reach"]);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});
