// Loaded before a test file by `npm test -- --times`: notes at its end what it and its children have used of a processor.
import { appendFileSync, readFileSync } from "node:fs";
import { isMainThread } from "node:worker_threads";

/** Clock ticks of a process and of the children it has waited for. */
function ticks(pid) {
  const fields = readFileSync(`/proc/${pid}/stat`, "latin1").split(") ").at(-1).split(" ");
  return fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0);
}

// Tests may change the environment.
const { COPPICE_TIMES: path } = process.env;
// Workers and commands inherit the option, and are counted by whoever has started them.
if (isMainThread && process.argv[1].endsWith(".test.ts"))
  process.on("exit", () => {
    const children = readFileSync(`/proc/self/task/${process.pid}/children`, "latin1").split(" ").filter(Boolean);
    const seconds = [process.pid, ...children].reduce((sum, pid) => sum + ticks(pid), 0) / 100;
    appendFileSync(path, `${seconds.toFixed(2).padStart(8)} ${process.argv[1]}\n`);
  });
