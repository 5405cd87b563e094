import { Socket } from "node:net";
import { workerData } from "node:worker_threads";
import { endMarkedProcesses } from "../../process-table/marked-processes.ts";
import { killQuietly } from "../../process-table/process-start.ts";
import { descriptor, type WatchdogStart } from "./process-start-message.ts";

/*
 * A thread that waits for the end of a pipe whose other end only the pool's process holds. When that process dies, by
 * whatever signal, the pipe ends, and this process goes with everything it started: its group, and by their mark those
 * that left the group.
 */
const { runToken } = workerData as WatchdogStart;
const lifeline = new Socket({ fd: descriptor.lifeline, readable: true, writable: false });
lifeline.resume();
lifeline.on("error", () => {});
lifeline.on("close", () => {
  endMarkedProcesses(runToken);
  killQuietly(-process.pid);
  killQuietly(process.pid);
});
