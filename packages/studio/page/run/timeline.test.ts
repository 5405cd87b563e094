import assert from "node:assert/strict";
import { test } from "node:test";
import { type Course, timelineAt, timelineScene } from "./timeline-scene.ts";

const WIDTH = 600;

/** Four workers, of which each did one thing for its whole second. */
function courseOf(hosts: Course["hosts"], sessionsMs: readonly number[] = []): Course {
  const workers = [0, 1, 2, 3];
  const rows = workers.map((worker) => ({ worker, busy: [], failed: [] }));
  const spans = workers.map((worker) => {
    return {
      worker,
      fromMs: 1000 * worker,
      toMs: 1000 * (worker + 1),
      ask: worker,
      key: `k${worker}`,
      ok: worker !== 3,
    };
  });
  return { timeline: { lengthMs: 4000, sessionsMs, spans, stepMs: 1000, rows }, hosts };
}

const texts = (course: Course) =>
  timelineScene(course, WIDTH).marks.flatMap((mark) => (mark.kind === "text" ? [mark.text] : []));

/** What is said in the middle of a worker's span, line by line. */
const saidAt = (course: Course, worker: number) =>
  Array.from({ length: 8 }, (_, line) => {
    return timelineAt(course, WIDTH, 76 + ((worker + 0.5) / 4) * (WIDTH - 76 - 16), 8 + 20 * line + 10);
  });

test("a run of one machine has a line per worker, and says where one waited or failed", () => {
  const course = courseOf({});
  assert.deepEqual(texts(course).slice(0, 4), ["worker 0", "worker 1", "worker 2", "worker 3"]);
  const said = saidAt(course, 3);
  assert.match(said[3], /^worker 3 at 3\.5.* s: #3 k3, 1.* s, failed$/);
  assert.match(said[0], /^worker 0 at .*: waiting$/);
});

test("workers elsewhere stand below the whole name of their machine, the run's own first", () => {
  const course = courseOf({ 1: "compute-node-02", 2: "compute-node-01", 3: "compute-node-02" });
  assert.deepEqual(texts(course).slice(0, 7), [
    ...["this machine", "worker 0", "compute-node-01", "worker 2", "compute-node-02", "worker 1", "worker 3"],
  ]);
  const said = saidAt(course, 2);
  assert.match(said[3], /^worker 2 on compute-node-01 at .*: #2 k2/);
  assert.equal(said[2], "", "the name of a machine is no worker");
});

test("every seam is drawn, and no word at one lies over another or beyond the drawing", () => {
  const course = courseOf({}, [100, 150, 200, 2000, 3990]);
  const { marks } = timelineScene(course, WIDTH);
  assert.equal(marks.filter(({ kind }) => kind === "line").length, 5);
  const words = marks.flatMap((mark) => (mark.kind === "text" && mark.text === "resumed" ? [mark.x] : []));
  assert.equal(words.length, 3);
  assert.ok(words.every((x, at) => x + 56 <= WIDTH && (at === 0 || x >= words[at - 1] + 56)));
});
