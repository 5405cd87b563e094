import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { defineEvaluator } from "../../src/contract/evaluator.ts";

/**
 * Starts programs that would run for `seconds`, by which they are known, and ends when the file HELD_WHILE is gone: one as
 * usual, and with an empty environment in a session of its own one that has this process as its parent, one whose parent is
 * gone at once because it forked (`setsid` of a group's leader does), and one that a shell left in the background.
 */
export default defineEvaluator({
  setup: (context: { readonly seconds: string }) => context,
  evaluate: async ({ seconds }, n: number) => {
    const alone = ["-i", "setsid", "/bin/sleep", seconds];
    const programs = [
      spawn("/bin/sleep", [seconds], { stdio: "ignore" }),
      spawn("env", alone, { stdio: "ignore" }),
      spawn("env", alone, { stdio: "ignore", detached: true }),
      spawn("/bin/sh", ["-c", `env ${alone.join(" ")} &`], { stdio: "ignore" }),
    ];
    for (const program of programs) program.unref();
    while (existsSync(process.env.HELD_WHILE ?? "")) await sleep(20);
    return n;
  },
});
