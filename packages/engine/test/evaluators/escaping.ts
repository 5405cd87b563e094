import { spawn } from "node:child_process";
import { appendFileSync, existsSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { defineEvaluator } from "../../src/contract/evaluator.ts";

/**
 * Starts two programs that would run for long, one of them with an empty environment in a session of its own, writes their
 * numbers down, and ends when the file HELD_WHILE is gone.
 */
export default defineEvaluator({
  setup: (context: { readonly ledger: string }) => context,
  evaluate: async ({ ledger }, n: number) => {
    // The one that only its parent gives away comes first: whoever sees the other sees both.
    const escaped = spawn("env", ["-i", "setsid", "/bin/sleep", "1000"], { stdio: "ignore", detached: true });
    const plain = spawn("sleep", ["1000"], { stdio: "ignore" });
    plain.unref();
    escaped.unref();
    appendFileSync(ledger, `${plain.pid}\n${escaped.pid}\n`);
    while (existsSync(process.env.HELD_WHILE ?? "")) await sleep(20);
    return n;
  },
});
