import { existsSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { RunView, summaryLine } from "@coppice/engine/display";
import { onlyGiven } from "@coppice/engine/only-given";
import { RunFollower, summarizeRun } from "@coppice/engine/records";
import { UsageError } from "@coppice/engine/usage-error";
import { runUri } from "./resources.ts";
import type { EndedCommand, LiveRun } from "./run-desk.ts";
import { small } from "./small.ts";
import type { Answer, Call } from "./tool.ts";

/** Clients give up on a call after a minute unless they are told otherwise. */
export const USUAL_WAIT_SECONDS = 50;
const LOOK_MS = 200;

/**
 * Waits for a run of this server, telling how far it is. One that has not ended by then continues, and the answer says how
 * to find it again. With `owned`, a caller who cancels stops the run; otherwise only the waiting ends.
 */
export async function awaitRun(run: LiveRun, waitSeconds: number, owned: boolean, call: Call): Promise<Answer> {
  const { signal } = call;
  const view = new ProgressOf(run);
  const ended = run.ended.then((command) => ({ command }));
  const until = Date.now() + waitSeconds * 1000;
  while (!signal.aborted) {
    const leftMs = until - Date.now();
    const look = pause(Math.max(0, Math.min(LOOK_MS, leftMs)), undefined, { signal, ref: false }).catch(
      () => undefined,
    );
    const end = await Promise.race([ended, look]);
    await view.tell(call.tellProgress);
    if (end !== undefined) return endedAnswer(run, end.command, call);
    if (Date.now() >= until) return runningAnswer(run.id, view.line());
  }
  if (!owned) return runningAnswer(run.id, view.line());
  run.stop();
  return endedAnswer(run, await run.ended, call);
}

export function resumeHint(run: string): string {
  return `call resume with {"run": "${run}"} to continue it`;
}

export function runningAnswer(run: string, progress: string): Answer {
  return {
    run,
    state: "running",
    progress,
    next: `it continues; call show with {"run": "${run}", "wait_seconds": ${USUAL_WAIT_SECONDS}} for its answer, or stop`,
  };
}

/** Follows a run's events on disk and tells each time when more has been done. */
class ProgressOf {
  readonly #directory: string;
  readonly #view = new RunView({ keys: false });
  #follower: RunFollower | undefined;
  #told = -1;

  constructor({ directory }: LiveRun) {
    this.#directory = directory;
  }

  async tell(say: Call["tellProgress"]): Promise<void> {
    if (this.#follower === undefined) {
      if (!existsSync(join(this.#directory, "run.json"))) return;
      this.#follower = new RunFollower(this.#directory);
    }
    this.#follower.catchUp((event) => this.#view.see(event));
    const run = this.#view.at(Date.now());
    if (run.start === undefined) return;
    // What is told must grow with every message.
    const done = run.work?.done ?? run.told;
    if (done <= this.#told) return;
    this.#told = done;
    await say(done, summaryLine(run));
  }

  line(): string {
    return this.#follower === undefined ? "it is starting" : summaryLine(this.#view.at(Date.now()));
  }
}

/** What a run's own command printed is its answer; what it refused is the caller's error. */
function endedAnswer(run: LiveRun, { code, document, lastLine }: EndedCommand, call: Call): Answer {
  const { id, directory } = run;
  if (typeof document !== "object" || document === null) {
    if (!existsSync(join(directory, "run.json"))) throw new UsageError(lastLine || "it was stopped before it began");
    // A process that is told to stop while it starts ends without a word.
    if (run.isStopping()) return { run: id, state: summarizeRun(directory, id).state, next: resumeHint(id) };
    const how = code === null ? "" : ` (exit code ${code})`;
    throw new UsageError(`run ${id} ended without an answer${how}: ${lastLine}`);
  }
  // Most tools print a document of their own and put what became of the run aside; of the others it is all there is.
  const { run: aside, ...own } = document as { readonly run?: RunFacts; readonly result?: unknown };
  const { state, digest, message, resume } = aside ?? (own as RunFacts);
  const answer = small(aside === undefined ? own.result : own);
  call.answers.keep(id, document);
  return {
    run: id,
    ...onlyGiven({ state, digest, message, answer: answer.value }),
    ...(resume === undefined ? {} : { next: resumeHint(id) }),
    ...(answer.whole ? {} : { more: runUri(id, "answer") }),
  };
}

/** What a command with `--json` says of its run. */
interface RunFacts {
  readonly state?: string;
  readonly digest?: string;
  readonly message?: string;
  readonly resume?: string;
}
