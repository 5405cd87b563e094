import assert from "node:assert/strict";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { reportedCost } from "./reported-cost.ts";

test("what a step spent is read from its file and its lines, added up, and the file is gone for the next one", () => {
  const folder = mkdtempSync(join(tmpdir(), "coppice-cost-"));
  const file = join(folder, "usage.json");
  try {
    assert.deepEqual(reportedCost(file, "nothing said"), { cost: { money: 0, tokens: 0 }, problem: undefined });
    writeFileSync(file, '{"money": 0.5}');
    const said = 'x\n{"coppice_usage": {"money": 0.25, "tokens": 10}}\n{"coppice_usage": {"tokens": 5}}\n';
    assert.deepEqual(reportedCost(file, said), { cost: { money: 0.75, tokens: 15 }, problem: undefined });
    assert.equal(existsSync(file), false);
    writeFileSync(file, "\n");
    const torn = '{"coppice_usage": torn';
    assert.deepEqual(reportedCost(file, torn), { cost: { money: 0, tokens: 0 }, problem: undefined });
    for (const wrong of ['{"money": -3, "tokens": 1}', '{"tokens": "many"}', '{{"money": 1}}', "[1]", "12"]) {
      writeFileSync(file, wrong);
      assert.equal(reportedCost(file, "").problem, wrong);
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
});
