import { type PoolFactory, random } from "@coppice/engine";
import type { PoolResult, PoolTask } from "@coppice/engine/pools";
import { decode, encode } from "@coppice/engine/values";
import type { TreeTask, TreeValue } from "../src/contract.ts";

/** Answers tasks in this process and lets them end in an order drawn from the seed, several or one at a time. */
export function shuffledPool(seed: number, answer: (task: TreeTask) => TreeValue): PoolFactory {
  return {
    kind: "shuffled",
    open: (_job, listener) => {
      const dice = random(seed);
      const out: PoolTask[] = [];
      let turn: NodeJS.Immediate | undefined;
      const below = (limit: number) => Math.floor(dice.uniform() * limit);
      const settle = ({ id, candidate }: PoolTask): PoolResult => {
        const value = answer(decode(candidate) as TreeTask);
        return { id, worker: 0, elapsedMs: 0, ok: true, encoded: encode(value) };
      };
      const step = () => {
        turn = undefined;
        const ended = Array.from({ length: 1 + below(out.length) }, () => out.splice(below(out.length), 1)[0]);
        if (out.length > 0) turn = setImmediate(step);
        listener.settled(ended.map(settle));
      };
      return {
        kind: "shuffled",
        workers: 1,
        maxInFlight: 1000,
        submit(task) {
          out.push(task);
          listener.started({ worker: 0, pid: process.pid, pidStart: "" }, [task.id]);
          turn ??= setImmediate(step);
        },
        abort: (id) => listener.aborted(id),
        close: async () => clearImmediate(turn),
      };
    },
  };
}
