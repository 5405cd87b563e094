import { descendants, type ProcessIdentity, processStart } from "../process-table.ts";

/**
 * What a child has started outside its process group: a signal to the group does not reach a process that called
 * `setsid`. Looked for before the child is told to end, because a process whose parents have ended cannot be found.
 */
export class EscapedProcesses {
  readonly #group: number;
  #known: readonly ProcessIdentity[];

  constructor(child: number) {
    this.#group = child;
    this.#known = this.#below([child]);
  }

  /** Signals those that still run, and what they have started since. */
  signal(signal: NodeJS.Signals): void {
    const running = this.#running();
    if (running.length === 0) return;
    const later = this.#below(running.map(({ pid }) => pid));
    this.#known = [...new Map([...running, ...later].map((each) => [each.pid, each])).values()];
    for (const { pid } of this.#known) {
      try {
        process.kill(pid, signal);
      } catch {
        // It ended in between, or became another user's: nothing of ours to end.
      }
    }
  }

  /** Waits for those that still run, at most `graceMs`, then kills them. */
  async end(graceMs: number): Promise<void> {
    const pauseMs = 10;
    for (let waitedMs = 0; waitedMs < graceMs; waitedMs += pauseMs) {
      if (this.#running().length === 0) return;
      await new Promise((resolve) => setTimeout(resolve, pauseMs));
    }
    this.signal("SIGKILL");
  }

  #below(roots: readonly number[]): readonly ProcessIdentity[] {
    return descendants(roots).filter(({ group }) => group !== this.#group);
  }

  #running(): readonly ProcessIdentity[] {
    return this.#known.filter(({ pid, start }) => processStart(pid) === start);
  }
}
