import { setTimeout as sleep } from "node:timers/promises";

/** How often something is tried and how long is waited in between: the first pause, doubled up to the longest. */
export interface Patience {
  readonly tries: number;
  readonly firstMs: number;
  readonly longestMs: number;
}

/** What a repository held by another git needs: a few seconds in all. */
export const gitPatience: Patience = { tries: 7, firstMs: 20, longestMs: 1000 };

/** What a folder needs whose last process has only just ended. */
export const removalPatience: Patience = { tries: 6, firstMs: 250, longestMs: 5000 };

/** Tries again while `again` says that the error may pass; the last error is the caller's. */
export async function withPatience<Value>(
  patience: Patience,
  attempt: () => Promise<Value> | Value,
  again: (error: unknown) => boolean,
): Promise<Value> {
  for (let tried = 1, pauseMs = patience.firstMs; ; tried++) {
    try {
      return await attempt();
    } catch (error) {
      if (tried >= patience.tries || !again(error)) throw error;
      await sleep(pauseMs);
      pauseMs = Math.min(patience.longestMs, pauseMs * 2);
    }
  }
}
