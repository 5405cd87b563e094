import { workerData } from "node:worker_threads";
import { childrenBelow, endStarted } from "../child-process/children-below.ts";
import { endMarkedProcesses } from "../child-process/marked-processes.ts";

// Loaded by the watchdog when the pool's process is gone: those that left this process's group are found below it, whatever
// their environment, and by their mark.
endStarted(childrenBelow(process.pid));
endMarkedProcesses((workerData as { readonly runToken: string }).runToken);
