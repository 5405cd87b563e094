import assert from "node:assert/strict";
import { test } from "node:test";
import { temporaryFolder } from "../../test/dry-tree.ts";
import { Ledger } from "./ledger.ts";

const budget = { maxMoney: 1, maxTokens: null };

test("a step that would break the budget, as dear as the dearest of its name, is not begun; what costs nothing is", async (t) => {
  const ledger = new Ledger(temporaryFolder(t));
  ledger.end(await ledger.begin("implement", budget), "implement", { money: 0.4, tokens: 9 });
  const open = await ledger.begin("implement", budget);
  const message = "0.4 of 1 spent, 0.4 may be under way, and implement has cost up to 0.4";
  await assert.rejects(ledger.begin("implement", budget), { name: "BudgetSpent", message });
  await ledger.begin("test", budget);
  ledger.end(open, "implement", { money: 0.2, tokens: 0 });
  await ledger.begin("implement", budget);
  await assert.rejects(ledger.begin("implement", { maxMoney: null, maxTokens: 17 }), {
    message: "9 of 17 tokens used, 9 may be under way, and implement has cost up to 9",
  });
  // A price that nobody knows yet: nothing is left of 1 money, and something of 30 tokens.
  await ledger.begin("review", { maxMoney: 0.7, maxTokens: null }, ["money"]);
  await ledger.begin("review", { maxMoney: 0.6, maxTokens: 30 }, ["tokens"]);
  await assert.rejects(ledger.begin("review", { maxMoney: 0.6, maxTokens: 30 }, ["money"]), {
    message: /^0\.6 of 0\.6 spent/,
  });
  // Those who had begun are no more.
  ledger.settle();
  await ledger.begin("implement", budget);
});
