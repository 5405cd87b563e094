import { readFileSync } from "node:fs";

/** Linux counts the time of ended children in hundredths of a second. */
const TICK_MS = 10;

/** CPU time of this process and of all its children that have ended, in milliseconds; only Linux tells of children. */
export function cpuTimeMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000 + childrenMs();
}

function childrenMs(): number {
  if (process.platform !== "linux") return 0;
  const stat = readFileSync("/proc/self/stat", "latin1");
  // Fields 16 and 17, counted from the end of the command's name, which may hold blanks.
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return (Number(fields[13]) + Number(fields[14])) * TICK_MS;
}
