import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { hookOf } from "../../test/hook-of.ts";
import { TemporaryProject } from "../../test/temporary-project.ts";
import type { EventRun } from "../run/run-event.ts";
import { placesOf } from "../settings/scopes.ts";
import { stateDirectory } from "../state-directory.ts";
import { appendRecords, timingRecords } from "./timing-records.ts";
import { weeklyLine } from "./weekly-line.ts";

const DAY_MS = 86_400_000;
const NOW = Date.UTC(2026, 10, 16, 12);

/** A project whose hooks took 300 and 20 ms, ten times on each of the last two days. */
function busyProject(weeklyReport: boolean): TemporaryProject {
  const project = new TemporaryProject();
  project.configure("Stop", [{ name: "lint", command: "true" }], { weeklyReport });
  const timing = (name: string, durationMs: number) =>
    ({
      hook: hookOf(name),
      stage: 0,
      queuedMs: 0,
      durationMs,
      ending: { kind: "exited", code: 0 },
      outputBytes: 0,
    }) as const;
  const run: EventRun = {
    answers: [],
    timings: [timing("lint", 300), timing("log", 20)],
    notStarted: [],
    elapsedMs: 310,
  };
  for (let event = 0; event < 20; event++) {
    const at = NOW - 2 * DAY_MS + event * 3_600_000;
    appendRecords(stateDirectory(project.dir), timingRecords("Stop", "s", at, run));
  }
  return project;
}

describe("the weekly line", () => {
  it("names the slowest hooks, what they cost a day and what would help, once a week", async () => {
    using project = busyProject(true);
    const places = placesOf(project.dir, project.env);
    const line = await weeklyLine(places, NOW);
    assert.equal(
      line,
      "Hooks in the last week: you waited 3.1 s a day. Slowest: lint (Stop) 3.0 s a day, 300 ms each; log (Stop) 200 ms a day, 20 ms each. " +
        'Most would help: Stop: lint is not declared and runs alone; "coppice hooks trace Stop" proposes a declaration. More: coppice hooks report',
    );
    for (const later of [0, DAY_MS, 6.9 * DAY_MS]) assert.equal(await weeklyLine(places, NOW + later), undefined);
    // A week later nothing has run since, and there is nothing to say.
    assert.equal(await weeklyLine(places, NOW + 8 * DAY_MS), undefined);
  });

  it("is said by one of many sessions that start at once", async () => {
    using project = busyProject(true);
    const places = placesOf(project.dir, project.env);
    const lines = await Promise.all(Array.from({ length: 8 }, () => weeklyLine(places, NOW)));
    assert.equal(lines.filter((line) => line !== undefined).length, 1);
  });

  it("is off unless the project wants it, and comes with SessionStart then", async () => {
    using quiet = busyProject(false);
    assert.equal(await weeklyLine(placesOf(quiet.dir, quiet.env), NOW), undefined);
    using project = new TemporaryProject();
    project.configure("SessionStart", [{ name: "hello", command: "true" }], { weeklyReport: true });
    assert.equal((await project.answer("SessionStart")).json.systemMessage, undefined, "nothing was measured yet");
    assert.match((await project.answer("SessionStart")).json.systemMessage ?? "", /^Hooks in the last week: .*hello/);
    assert.equal((await project.answer("SessionStart")).json.systemMessage, undefined);
  });
});
