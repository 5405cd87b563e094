import { workerData } from "node:worker_threads";
import { endMarkedProcesses } from "../child-process/marked-processes.ts";

// Loaded by the watchdog when the pool's process is gone: those that left this process's group are found by their mark.
endMarkedProcesses((workerData as { readonly runToken: string }).runToken);
