import { Worker } from "node:worker_threads";
import { awake, TICKS } from "./awake-clock.ts";
import { descriptor, workerEntry } from "./starting.ts";

/*
 * Text, and not a module of its own, because a thread that loads TypeScript costs every worker process another 35 ms of
 * processor time at its start; this loads nothing until it has to act.
 */
const WATCH = `
  const { workerData } = require("node:worker_threads");
  const { Socket } = require("node:net");
  const lifeline = new Socket({ fd: workerData.fd, readable: true, writable: false });
  lifeline.on("error", () => {});
  lifeline.on("close", () => import(workerData.action).finally(() => process.kill(-process.pid, "SIGKILL")));
  lifeline.resume();
`;

/**
 * Starts a thread that waits for the end of a pipe whose other end only the pool's process holds: a busy main thread
 * would not notice, and notes that this process is awake. When the pool's process dies, by whatever signal, this process goes with everything it started.
 */
export function startWatchdog(runToken: string): void {
  awake.clock.start("another");
  const pauses = { awake: awake.clock.buffer };
  const workerData = { fd: descriptor.lifeline, action: workerEntry.orphan.href, runToken, ...pauses };
  new Worker(WATCH + TICKS, { eval: true, workerData }).unref();
}
