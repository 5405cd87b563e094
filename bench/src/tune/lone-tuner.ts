import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import type { TournamentSize } from "./tournament-time.ts";

export interface TuneTime {
  readonly ms: number;
  readonly digest: string;
}

/**
 * A process of its own that runs tournaments on one worker and knows nothing of any other: what two of them do at once is
 * what the machine gives, whatever divides work between workers.
 */
export class LoneTuner {
  readonly #child: ChildProcess;

  private constructor(child: ChildProcess) {
    this.#child = child;
  }

  /** Resolves when the seasons are loaded. */
  static async start(data: string | undefined): Promise<LoneTuner> {
    const entry = fileURLToPath(new URL("./lone-tuner-entry.ts", import.meta.url));
    const child = fork(entry, data === undefined ? [] : [data]);
    await answer(child);
    return new LoneTuner(child);
  }

  async run(size: Omit<TournamentSize, "workers">): Promise<TuneTime> {
    this.#child.send({ ...size, workers: 1 } satisfies TournamentSize);
    // Cast: messages come from our own entry module.
    return (await answer(this.#child)) as TuneTime;
  }

  close(): void {
    this.#child.kill();
  }
}

/** The next message; a process that ends instead is an error. */
async function answer(child: ChildProcess): Promise<unknown> {
  const ended = new AbortController();
  const { signal } = ended;
  try {
    return await Promise.race([
      once(child, "message", { signal }).then(([message]) => message),
      once(child, "exit", { signal }).then(([code]) => {
        throw new Error(`an independent tuner ended with exit code ${code}`);
      }),
    ]);
  } finally {
    ended.abort();
  }
}
