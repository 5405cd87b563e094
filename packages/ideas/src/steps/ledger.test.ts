import assert from "node:assert/strict";
import { test } from "node:test";
import { temporaryFolder } from "../../test/dry-tree.ts";
import type { Cost } from "../contract.ts";
import { type Budget, Ledger, type Planned } from "./ledger.ts";

const budget = { maxMoney: 1, maxTokens: null };
const planned = (step: Planned["step"], limits: Budget = budget, states: readonly (keyof Cost)[] = []): Planned => ({
  step,
  budget: limits,
  states,
});

/** A step that has begun; ended by calling what is returned. */
async function begun(ledger: Ledger, step: Planned) {
  const { promise, resolve } = Promise.withResolvers<{ cost: Cost; failed: boolean }>();
  const started = Promise.withResolvers<void>();
  const ended = ledger.account(step, () => {
    started.resolve();
    return promise;
  });
  await Promise.race([started.promise, ended]);
  return async (money: number, tokens = 0, failed = false) => {
    resolve({ cost: { money, tokens }, failed });
    await ended;
  };
}

test("a step that would break the budget, as dear as the dearest of its name, is not begun; what costs nothing is", async (t) => {
  const ledger = new Ledger(temporaryFolder(t));
  await (await begun(ledger, planned("implement")))(0.4, 9);
  const end = await begun(ledger, planned("implement"));
  const message = "0.4 of 1 spent, 0.4 may be under way, and implement has cost up to 0.4";
  await assert.rejects(begun(ledger, planned("implement")), { name: "BudgetSpent", message });
  await begun(ledger, planned("test"));
  await end(0.2);
  await begun(ledger, planned("implement"));
  await assert.rejects(begun(ledger, planned("implement", { maxMoney: null, maxTokens: 17 })), {
    message: "9 of 17 tokens used, 9 may be under way, and implement has cost up to 9",
  });
  // A price that nobody knows yet: nothing is left of 1 money, and something of 30 tokens.
  await (await begun(ledger, planned("review", { maxMoney: 0.7, maxTokens: null }, ["money"])))(0, 0, true);
  await (await begun(ledger, planned("review", { maxMoney: 0.6, maxTokens: 30 }, ["tokens"])))(0, 0, true);
  await assert.rejects(begun(ledger, planned("review", { maxMoney: 0.6, maxTokens: 30 }, ["money"])), {
    message: /^0\.6 of 0\.6 spent/,
  });
  // Those who had begun are no more.
  ledger.settle();
  await begun(ledger, planned("implement"));
});

test("until a step that states its price has said it only one of its name runs, whoever begins the others", async (t) => {
  const folder = temporaryFolder(t);
  const [here, there] = [new Ledger(folder), new Ledger(folder)];
  const step = planned("implement", budget, ["money"]);
  const order: string[] = [];
  const priced = (ledger: Ledger, name: string, money: number, failed = false) =>
    ledger.account(step, async () => {
      order.push(`${name} begins`);
      await new Promise((resolve) => setTimeout(resolve, 60));
      order.push(`${name} ends`);
      return { cost: { money, tokens: 0 }, failed };
    });
  // One that failed without a price leaves it open.
  await Promise.all([priced(here, "a", 0, true), priced(there, "a", 0, true)]);
  assert.deepEqual(order, ["a begins", "a ends", "a begins", "a ends"]);
  const first = await begun(here, step);
  // Others do not wait, nor those that state nothing.
  await (await begun(there, planned("review", budget, ["money"])))(0.1);
  await begun(there, planned("test"));
  const given = new AbortController();
  const waiting = there.account({ ...step, signal: given.signal }, () => assert.fail("nobody waits for it any more"));
  const two = [priced(here, "b", 0.2), priced(there, "b", 0.2)];
  given.abort(new Error("the run was stopped"));
  await assert.rejects(waiting, /the run was stopped/);
  assert.equal(order.length, 4);
  await first(0.6);
  // By then it is known that there is room for neither.
  for (const one of two)
    await assert.rejects(one, { name: "BudgetSpent", message: "0.7 of 1 spent, and implement has cost up to 0.6" });
});
