import { rmSync } from "node:fs";
import { childrenBelow, endStarted } from "@coppice/engine/child-process";

const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
const INTERRUPTED = 130;
/** Rounds of looking for children: one that is ended may have started another in between. */
const ROUNDS = 50;

/**
 * Has everything that is temporary made below the root, and a signal end every program that was started and remove the root.
 * Returns how to stop that.
 */
export function keepOutOfTheWay(root: string): () => void {
  const before = process.env.TMPDIR;
  process.env.TMPDIR = root;
  const leave = (): never => {
    for (let round = 0; round < ROUNDS; round++) {
      const children = childrenBelow(process.pid);
      if (children.size === 0) break;
      endStarted(children);
    }
    rmSync(root, { recursive: true, force: true, maxRetries: 10 });
    process.exit(INTERRUPTED);
  };
  for (const signal of SIGNALS) process.once(signal, leave);
  return () => {
    for (const signal of SIGNALS) process.off(signal, leave);
    if (before === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = before;
  };
}
