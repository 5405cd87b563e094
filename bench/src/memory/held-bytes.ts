import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

/** What this process holds in memory, after a collection of everything else. */
export function heldBytes(): number {
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as () => void;
  collect();
  collect();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}
