import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { describe, it } from "node:test";
import { fileURLToPath } from "node:url";

const program = new URL("./best-point.ts", import.meta.url);

describe("the README's program", () => {
  it("is the one in this folder, word for word", () => {
    const readme = readFileSync(new URL("../../README.md", import.meta.url), "utf8");
    assert.ok(readme.includes(readFileSync(program, "utf8").trim()));
  });

  it("runs and finds the highest of its thousand points", () => {
    const run = spawnSync(process.execPath, [fileURLToPath(program)], { encoding: "utf8" });
    assert.equal(run.status, 0, run.stderr);
    const height = (x: number) => Math.sin(3 * x) * Math.exp(-((x - 2) ** 2));
    const xs = Array.from({ length: 1000 }, (_, n) => n / 250);
    const highest = xs.reduce((best, x) => (height(x) > height(best) ? x : best));
    assert.match(run.stdout, new RegExp(`x: ${highest},`));
    assert.match(run.stdout, /digest: '[0-9a-f]{64}'/);
  });
});
