import type { ChildRun, Ending } from "@coppice/engine/child-process";
import { type Answer, endsEvent, readAnswer } from "../merge/answer.ts";
import type { Hook } from "../settings/hook.ts";
import type { HookOptions } from "../settings/hook-options.ts";
import type { Staging } from "../staging/stage-hooks.ts";
import { type EachOfStage, eachAlone } from "./each-of-stage.ts";

/** How one hook is carried out: as a process, in this process, in the daemon. */
export type Carrier = (hook: Hook, input: Uint8Array, signal: AbortSignal) => Promise<ChildRun>;

/** What an event's hooks said and took. */
export interface EventRun {
  /** In list order; hooks that were not started, or stand behind a block that stops, are absent. */
  readonly answers: readonly Answer[];
  readonly timings: readonly HookTiming[];
  readonly notStarted: readonly string[];
  readonly elapsedMs: number;
}

/** One hook's part in an event, for the timing record. */
export interface HookTiming {
  readonly hook: Hook;
  readonly stage: number;
  /** Milliseconds from the start of the event to the start of the hook. */
  readonly queuedMs: number;
  readonly durationMs: number;
  readonly ending: Ending;
  readonly outputBytes: number;
}

/** What running an event needs besides its staging. */
export interface EventRequest {
  readonly staging: Staging;
  readonly input: Uint8Array;
  readonly options: Pick<HookOptions, "concurrency" | "onBlock">;
  readonly carry: Carrier;
  /** Starts a hook that is not waited for. */
  readonly startInBackground: (hook: Hook, input: Uint8Array) => void;
  readonly signal: AbortSignal;
  /** How the hooks of a stage share the process; alone by default. */
  readonly each?: EachOfStage;
}

/**
 * Runs stage after stage; within a stage up to `concurrency` hooks at once, started in list order. All of them run,
 * whatever some of them say; with `onBlock: "stop"` those behind the first that blocks are as if they were not there.
 */
export async function runEvent(request: EventRequest): Promise<EventRun> {
  const { staging, options, each = eachAlone } = request;
  const began = clockMs();
  const answers: (Answer | undefined)[] = staging.hooks.map(() => undefined);
  const timings: (HookTiming | undefined)[] = staging.hooks.map(() => undefined);
  const started = new Set<number>();
  const places = new Map(staging.order.map((index, place) => [index, place]));
  const placeOf = (index: number): number => places.get(index) ?? index;
  let lastPlace = Number.POSITIVE_INFINITY;

  for (const [stage, members] of staging.stages.entries()) {
    await each(members, options.concurrency, async (index) => {
      if (request.signal.aborted || placeOf(index) > lastPlace) return;
      const hook = staging.hooks[index];
      const input = chainedInput(hook, request.input, staging, answers);
      started.add(index);
      if (hook.background) {
        request.startInBackground(hook, input);
        return;
      }
      const start = clockMs();
      const run = await request.carry(hook, input, request.signal);
      timings[index] = {
        hook,
        stage,
        queuedMs: start - began,
        durationMs: clockMs() - start,
        ending: run.ending,
        outputBytes: run.stdout.totalBytes + run.stderr.totalBytes,
      };
      if (run.ending.kind === "ended") return;
      const answer = readAnswer(hook, run);
      answers[index] = answer;
      if (options.onBlock === "stop" && endsEvent(answer, hook.event)) lastPlace = Math.min(lastPlace, placeOf(index));
    });
  }
  return {
    answers: answers.filter((_, index) => placeOf(index) <= lastPlace).filter((answer) => answer !== undefined),
    timings: timings.filter((timing) => timing !== undefined),
    notStarted: staging.hooks.filter((_, index) => !started.has(index)).map((hook) => hook.name),
    elapsedMs: clockMs() - began,
  };
}

/** A clock that needs nothing loaded: asking for `performance` would take longer than all that is measured here. */
function clockMs(): number {
  return Number(process.hrtime.bigint()) / 1e6;
}

/** The event's own bytes (H-03), except for a declared chain: then the input as the hooks before it rewrote it. */
function chainedInput(
  hook: Hook,
  input: Uint8Array,
  staging: Staging,
  answers: readonly (Answer | undefined)[],
): Uint8Array {
  if (!hook.chain) return input;
  let updated: unknown;
  for (const [index, earlier] of staging.hooks.entries()) {
    const specific = answers[index]?.json?.hookSpecificOutput as { updatedInput?: unknown } | undefined;
    if (hook.after.includes(earlier.name) && specific?.updatedInput !== undefined) updated = specific.updatedInput;
  }
  if (updated === undefined) return input;
  return Buffer.from(JSON.stringify({ ...JSON.parse(Buffer.from(input).toString("utf8")), tool_input: updated }));
}
