import { workerData } from "node:worker_threads";
import { childrenBelow, endStarted } from "../child-process/children-below.ts";
import { endLimitMarked } from "../child-process/limit-mark.ts";
import { endMarkedProcesses, RUN_MARK } from "../child-process/marked-processes.ts";

// Loaded by the watchdog when the pool's process is gone: those that left this process's group are found below it, whatever
// their environment, and by their marks. Other workers of the run come last: they have children of their own to end.
const { runToken } = workerData as { readonly runToken: string };
endStarted(childrenBelow(process.pid));
endLimitMarked(process.env[RUN_MARK]?.split(",").at(-1) ?? runToken);
endMarkedProcesses(runToken);
