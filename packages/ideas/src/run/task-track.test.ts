import assert from "node:assert/strict";
import { test } from "node:test";
import { moveTask, newTrack, requeue, type TaskState } from "./task-track.ts";

const legal: readonly (readonly [TaskState, TaskState])[] = [
  ["queued", "running"],
  ["queued", "completed"], // answered from a cache
  ["running", "completed"],
  ["running", "failed"],
  ["running", "queued"],
  ["failed", "queued"],
];

test("T-09, T-35: tasks change state only as they may; anything else throws and says so", () => {
  const states: readonly TaskState[] = ["queued", "running", "completed", "failed"];
  for (const from of states) {
    for (const to of states) {
      const track = { ...newTrack("eval/0/0000/0001", 0), state: from };
      if (legal.some(([a, b]) => a === from && b === to)) {
        moveTask(track, to);
        assert.equal(track.state, to);
      } else {
        assert.throws(() => moveTask(track, to), new RegExp(`eval/0/0000/0001 is ${from}: it cannot become ${to}`));
        assert.equal(track.state, from);
      }
    }
  }
});

test("T-09: whatever returns to the queue says why, and is counted", () => {
  const track = { ...newTrack("eval/0/0000/0001", 0), state: "running" as const, attempt: 0 };
  const event = requeue(track, 5, "its worker (pid 7) is gone");
  assert.deepEqual([event.type, event.reason, event.attempt], ["requeued", "its worker (pid 7) is gone", 0]);
  assert.deepEqual([track.state, track.requeues], ["queued", 1]);
});
