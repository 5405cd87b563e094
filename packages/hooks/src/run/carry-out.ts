import { LiveGroups } from "@coppice/engine/child-process";
import type { DaemonClient } from "../daemon/client.ts";
import type { HookOptions } from "../settings/hook.ts";
import { isWriter, type Staging } from "../staging/stage-hooks.ts";
import { appendRecords, timingRecords } from "../timing/timing-records.ts";
import type { EventCall } from "./answer-event.ts";
import { startInBackground } from "./background.ts";
import { type HookSurroundings, processCarrier } from "./carry-process.ts";
import { eachAlone, eachBesideOthers } from "./each-of-stage.ts";
import { type Carrier, type EventRun, runEvent } from "./run-event.ts";
import { lockSession } from "./session-lock.ts";

/** A staged event and where it happens. */
export interface StagedCall {
  readonly call: EventCall;
  readonly surroundings: HookSurroundings;
  readonly stateDir: string;
  readonly staging: Staging;
  readonly options: HookOptions;
  readonly daemon: DaemonClient | undefined;
}

/** Waiting for another event of the same session ends here; the event then runs without the lock and says so. */
const LOCK_PATIENCE_MS = 10_000;

/** Runs the staging with real processes, under the session's lock when something may write. */
export async function carryOut({
  call,
  surroundings,
  stateDir,
  staging,
  options,
  daemon,
}: StagedCall): Promise<{ run: EventRun; notices: readonly string[]; record: () => void }> {
  const notices: string[] = [];
  const session = call.input.sessionId;
  const startedAt = Date.now();
  const writing = options.lock && staging.hooks.some((hook) => isWriter(hook) && !hook.background);
  const lock = writing ? await lockSession(stateDir, session, LOCK_PATIENCE_MS) : undefined;
  if (lock !== undefined && !lock.held) notices.push(`hooks ran without the session's lock: ${lock.because}`);
  const groups = new LiveGroups();
  const carryProcess = processCarrier(surroundings, groups);
  const modules = staging.hooks.some((hook) => hook.module !== undefined)
    ? await moduleHolder(surroundings, call.modules, daemon)
    : undefined;
  try {
    const run = await runEvent({
      staging,
      input: call.input.bytes,
      options: { ...options, concurrency: call.concurrency ?? options.concurrency },
      carry: (hook, input, signal) =>
        (hook.module === undefined || modules === undefined ? carryProcess : modules.carry)(hook, input, signal),
      startInBackground: (hook, input) => {
        const job = { session, stateDir, writer: options.lock && isWriter(hook) };
        try {
          startInBackground(hook, job, surroundings, input);
        } catch (error) {
          notices.push(`${hook.name} could not be started in the background: ${(error as Error).message}`);
        }
      },
      signal: call.signal,
      each: isLasting(call) ? eachBesideOthers : eachAlone,
    });
    const record = (): void => {
      if (options.timing) appendRecords(stateDir, timingRecords(call.event, session, startedAt, run));
    };
    return { run, notices, record };
  } finally {
    groups.close();
    await modules?.close();
    if (lock?.held) lock.release();
  }
}

/** Whether this process answers more events than this one. */
function isLasting({ modules }: EventCall): boolean {
  return typeof modules !== "string";
}

/** Loaded only for events that have module hooks. */
async function moduleHolder(
  surroundings: HookSurroundings,
  modules: EventCall["modules"],
  daemon: DaemonClient | undefined,
): Promise<{ carry: Carrier; close: () => Promise<void> }> {
  const { hostCarrier, moduleCarrier } = await import("../daemon/carry-module.ts");
  if (typeof modules === "string") return moduleCarrier(surroundings, daemon);
  return { carry: hostCarrier(surroundings, modules), close: async () => {} };
}
