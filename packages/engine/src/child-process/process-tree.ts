import { setTimeout as pause } from "node:timers/promises";
import { markedProcesses } from "./marked-processes.ts";
import { descendants, type ProcessIdentity, processStart } from "./process-table.ts";
import { groupAlive, signalQuietly } from "./send-signal.ts";

/** How long what was killed may take to disappear. */
const GONE_MS = 2500;
const LOOK_MS = 10;
/** A pause of this process counts as no more than this: those it waits for may have been paused with it. */
const PAUSE_MS = 250;

/**
 * A child and all it has started: its process group, what left the group (a signal to the group does not reach a process
 * that called `setsid`), and what carries its mark. Made before the child is told to end, because a process without a
 * mark cannot be found once its parents have ended.
 */
export class ProcessTree {
  readonly #group: number;
  readonly #mark: string | undefined;
  #escaped: readonly ProcessIdentity[];

  constructor(child: number, mark: string | undefined) {
    this.#group = child;
    this.#mark = mark;
    this.#escaped = this.#below([child]);
  }

  /** Those that carry the mark, in whatever group. */
  marked(): readonly number[] {
    return this.#mark === undefined ? [] : markedProcesses(this.#mark);
  }

  /** Asks all of them to end and kills what is left after `graceMs`. Resolves when none is left, or soon after. */
  async end(graceMs: number): Promise<void> {
    this.#signal("SIGTERM");
    await this.#gone(graceMs);
    if (!this.#alive()) return;
    this.#signal("SIGKILL");
    await this.#gone(GONE_MS);
  }

  #signal(name: NodeJS.Signals): void {
    const running = this.#running();
    if (running.length > 0) {
      const later = this.#below(running.map(({ pid }) => pid));
      this.#escaped = [...new Map([...running, ...later].map((each) => [each.pid, each])).values()];
    }
    signalQuietly(-this.#group, name);
    for (const pid of new Set([...this.#escaped.map((each) => each.pid), ...this.marked()])) signalQuietly(pid, name);
  }

  async #gone(limitMs: number): Promise<void> {
    let waitedMs = 0;
    while (waitedMs < limitMs && this.#alive()) {
      const began = performance.now();
      await pause(LOOK_MS);
      waitedMs += Math.min(performance.now() - began, PAUSE_MS);
    }
  }

  #alive(): boolean {
    return groupAlive(this.#group) || this.#running().length > 0 || this.marked().length > 0;
  }

  #below(roots: readonly number[]): readonly ProcessIdentity[] {
    return descendants(roots).filter(({ group }) => group !== this.#group);
  }

  #running(): readonly ProcessIdentity[] {
    return this.#escaped.filter(({ pid, start }) => processStart(pid) === start);
  }
}
