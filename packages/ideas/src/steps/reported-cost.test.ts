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
    assert.deepEqual(reportedCost(file, "nothing said"), { money: 0, tokens: 0 });
    writeFileSync(file, '{"money": 0.5}');
    const said = 'x\n{"coppice_usage": {"money": 0.25, "tokens": 10}}\n{"coppice_usage": {"tokens": 5}}\n';
    assert.deepEqual(reportedCost(file, said), { money: 0.75, tokens: 15 });
    assert.equal(existsSync(file), false);
    writeFileSync(file, '{"money": -3, "tokens": "many"}');
    assert.deepEqual(reportedCost(file, '{"coppice_usage": torn'), { money: 0, tokens: 0 });
  } finally {
    rmSync(folder, { recursive: true });
  }
});
