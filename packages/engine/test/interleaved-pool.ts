import type { Pool, PoolFactory, PoolListener, PoolResult, PoolTask } from "../src/contract/pool.ts";
import { decode, encode } from "../src/values/encode.ts";

export interface Interleaving {
  /** Number from 0 to `count − 1`: how many tasks settle this turn, and which. */
  readonly choose: (count: number) => number;
  readonly maxInFlight?: number;
  /** What became of the work, for tests that count it. */
  readonly onEvaluate?: (key: string) => void;
  readonly onAbort?: (key: string) => void;
  /** An aborted task delivers its value all the same, as one that was nearly finished would. */
  readonly lateValues?: boolean;
  /** Nothing settles until this says so. */
  readonly holds?: (key: string) => boolean;
}

/**
 * A pool whose completion order is the test's choice: any number of tasks, any of them, each turn of the event loop.
 * It evaluates for real, in this process, so that a driver can be shown every schedule that workers could produce.
 */
export function interleaved(
  evaluate: (candidate: unknown, key: string, attempt: number) => unknown,
  { choose, maxInFlight = 1000, onEvaluate, onAbort, lateValues = false, holds }: Interleaving,
): PoolFactory {
  return { kind: "interleaved", open: (_job, listener) => open(listener) };

  function open(listener: PoolListener): Pool {
    const running: PoolTask[] = [];
    let turn: NodeJS.Immediate | undefined;
    let closed = false;

    const settle = (task: PoolTask): PoolResult => {
      const base = { id: task.id, worker: 0, elapsedMs: 0 };
      onEvaluate?.(task.key);
      try {
        return { ...base, ok: true, encoded: encode(evaluate(decode(task.candidate), task.key, task.attempt)) };
      } catch (error) {
        const { name, message } = error as Error;
        return { ...base, ok: false, failure: { type: name, message }, detail: { timedOut: false, workerLost: false } };
      }
    };
    const plan = () => {
      if (turn === undefined && !closed && running.length > 0) turn = setImmediate(step);
    };
    const step = () => {
      turn = undefined;
      const free = running.filter((task) => holds?.(task.key) !== true);
      const results: PoolResult[] = [];
      for (let count = free.length === 0 ? 0 : 1 + choose(free.length); count > 0; count--) {
        const [task] = free.splice(choose(free.length), 1);
        if (task === undefined) break;
        running.splice(running.indexOf(task), 1);
        results.push(settle(task));
      }
      if (results.length > 0) listener.settled(results);
      plan();
    };
    return {
      kind: "interleaved",
      workers: 1,
      maxInFlight,
      submit(task) {
        running.push(task);
        setImmediate(() => listener.started({ worker: 0, pid: process.pid, pidStart: "" }, [task.id]));
        plan();
      },
      abort(id) {
        const at = running.findIndex((task) => task.id === id);
        const [task] = at < 0 ? [] : running.splice(at, 1);
        if (task === undefined) return;
        onAbort?.(task.key);
        setImmediate(() => {
          const result = lateValues ? settle(task) : undefined;
          if (result?.ok) listener.settled([result]);
          else listener.aborted(id);
        });
      },
      close() {
        closed = true;
        clearImmediate(turn);
        return Promise.resolve();
      },
    };
  }
}
