import { LiveGroups } from "@coppice/engine/child-process";
import type { ModuleCaller } from "../daemon/client.ts";
import { type Hook, isWriter } from "../settings/hook.ts";
import type { HookOptions } from "../settings/hook-options.ts";
import type { Staging } from "../staging/stage-hooks.ts";
import { appendRecords, timingRecords } from "../timing/timing-records.ts";
import type { EventCall } from "./answer-event.ts";
import { startInBackground } from "./background.ts";
import { type HookSurroundings, processCarrier } from "./carry-process.ts";
import { eachAlone, eachBesideOthers } from "./each-of-stage.ts";
import { type EventRun, runEvent } from "./run-event.ts";
import { lockSession } from "./session-lock.ts";

/** A staged event and where it happens. */
interface StagedCall {
  readonly call: EventCall;
  readonly surroundings: HookSurroundings;
  readonly stateDir: string;
  readonly staging: Staging;
  readonly options: HookOptions;
  readonly daemon: ModuleCaller | undefined;
}

/** What came of it; `record` writes the timing down. */
interface CarriedOut {
  readonly run: EventRun;
  readonly notices: readonly string[];
  readonly record: () => void;
}

/** Waiting for another event of the same session ends here; the event then runs without the lock and says so. */
const LOCK_PATIENCE_MS = 10_000;

/** Runs the hooks with real processes, under the session's lock when something may write. */
export async function carryOut(staged: StagedCall): Promise<CarriedOut> {
  const { call, surroundings, stateDir, staging, options, daemon } = staged;
  const notices: string[] = [];
  const session = call.input.sessionId;
  const startedAt = Date.now();
  const writing = options.lock && staging.hooks.some((hook) => isWriter(hook) && !hook.background);
  const lock = writing ? await lockSession(stateDir, session, LOCK_PATIENCE_MS) : undefined;
  if (lock !== undefined && !lock.held) notices.push(`hooks ran without the session's lock: ${lock.because}`);
  const warm = typeof call.daemon === "string" ? undefined : call.daemon;
  const groups = new LiveGroups();
  const processes = processCarrier(surroundings, groups);
  // Loaded only for events that have module hooks.
  const modules = staging.hooks.some((hook) => hook.module !== undefined)
    ? (await import("../daemon/carry-module.ts")).moduleCarrier(surroundings, daemon, warm?.host)
    : undefined;
  const inBackground = (hook: Hook, input: Uint8Array): void => {
    const job = { session, stateDir, writer: options.lock && isWriter(hook) };
    try {
      startInBackground(hook, job, surroundings, input);
    } catch (error) {
      notices.push(`${hook.name} could not be started in the background: ${(error as Error).message}`);
    }
  };
  try {
    const run = await runEvent({
      staging,
      input: call.input.bytes,
      options: { ...options, concurrency: call.concurrency ?? options.concurrency },
      carry: (hook, input, signal) => {
        const carrier = hook.module === undefined ? undefined : modules?.carry;
        return (carrier ?? processes)(hook, input, signal);
      },
      startInBackground: inBackground,
      signal: call.signal,
      each: warm === undefined ? eachAlone : eachBesideOthers,
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
