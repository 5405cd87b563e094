import { renameSync, statSync } from "node:fs";
import { join } from "node:path";
import { LiveGroups, runChild } from "@coppice/engine/child-process";
import { appendToState } from "../state-directory.ts";
import type { BackgroundJob } from "./background.ts";
import { readAll } from "./event-input.ts";
import { lockSession } from "./session-lock.ts";

// Looks after one background hook, then ends. Started by `startInBackground`, with the job on standard input.

const LOG = "background.log";
const MAX_LOG_BYTES = 2 * 1024 * 1024;
const KEPT_OUTPUT_BYTES = 64 * 1024;

const job = JSON.parse(Buffer.from(readAll(0)).toString("utf8")) as BackgroundJob;
const groups = new LiveGroups();
const ender = new AbortController();
process.on("SIGTERM", () => ender.abort("the runner was asked to end"));

const lock = job.writer ? await lockSession(job.stateDir, job.session, job.timeoutMs) : undefined;
const began = Date.now();
const run = await runChild({
  command: job.command,
  cwd: job.cwd,
  env: process.env,
  input: Buffer.from(job.inputBase64, "base64"),
  timeoutMs: job.timeoutMs,
  limits: { outputBytes: KEPT_OUTPUT_BYTES },
  signal: ender.signal,
  groups,
});
groups.close();
if (lock?.held) lock.release();

const log = join(job.stateDir, LOG);
const header = {
  ts: began,
  event: job.event,
  hook: job.name,
  duration_ms: Date.now() - began,
  ...run.ending,
};
const output = [run.stdout, run.stderr].map((part) => Buffer.from(part.bytes).toString("utf8").trimEnd());
const body = output.filter((text) => text !== "").map((text) => `${text.replace(/^/gm, "  ")}\n`);
if ((statSync(log, { throwIfNoEntry: false })?.size ?? 0) > MAX_LOG_BYTES) renameSync(log, `${log}.1`);
appendToState(job.stateDir, LOG, `${JSON.stringify(header)}\n${body.join("")}`);
