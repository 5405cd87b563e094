import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { TaskQueue } from "./task-queue.ts";

const step = fc.oneof(
  fc.record({ kind: fc.constant("add" as const), id: fc.nat(300) }),
  fc.record({ kind: fc.constant("take" as const), count: fc.nat(20) }),
  fc.record({ kind: fc.constant("remove" as const), id: fc.nat(300) }),
);

describe("the task queue", () => {
  it("always gives the lowest ids first, whatever was added, taken and removed before", () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 400 }), (steps) => {
        const queue = new TaskQueue<{ id: number }>();
        let twin: number[] = [];
        for (const action of steps) {
          if (action.kind === "add" && !twin.includes(action.id)) {
            queue.add({ id: action.id });
            twin = [...twin, action.id].sort((a, b) => a - b);
          } else if (action.kind === "take") {
            assert.deepEqual(
              queue.take(action.count).map(({ id }) => id),
              twin.splice(0, action.count),
            );
          } else if (action.kind === "remove") {
            assert.equal(queue.remove(action.id), twin.includes(action.id));
            twin = twin.filter((id) => id !== action.id);
          }
          assert.equal(queue.length, twin.length);
        }
      }),
      { numRuns: 300 },
    );
  });
});
