import { spawnSync } from "node:child_process";
import squares from "./squares.ts";

/** Squares whose sixth evaluation leaves its process no file descriptor to open, and ends its worker. */
export default {
  ...squares,
  evaluate: (_context: unknown, x: number): number => {
    if (process.env.LEAK === "yes" && x === 5) {
      spawnSync("prlimit", ["--pid", String(process.pid), "--nofile=8:8"]);
      process.exit(3);
    }
    return x * x;
  },
};
