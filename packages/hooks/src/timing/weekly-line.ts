import { readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Places } from "../settings/scopes.ts";
import { stageEvent } from "../staging/stage-event.ts";
import { makeStateDirectory, stateDirectory } from "../state-directory.ts";
import { projectReport, type TimingReport } from "./timing-report.ts";

const DAY_MS = 86_400_000;
const WEEK_MS = 7 * DAY_MS;
const MOST_NAMED = 3;

/**
 * What the hooks of a project cost in the last week, in one line: the slowest, what they take of a day, and what would
 * help most. Undefined when the project did not ask for it (`weeklyReport`), nothing ran, or it was said less than a week
 * ago; of sessions that start at the same moment one says it.
 */
export async function weeklyLine(places: Places, now: number): Promise<string | undefined> {
  const directory = stateDirectory(places.projectDir);
  const last = lastTurn(directory);
  if (last !== undefined && now - last.at < WEEK_MS) return undefined;
  const { options } = await stageEvent("SessionStart", {}, places);
  if (!options.weeklyReport) return undefined;
  const { report, records } = await projectReport(places, WEEK_MS, now);
  const first = records[0]?.ts;
  if (first === undefined || report.hooks.length === 0) return undefined;
  if (!takeTurn(directory, last, now)) return undefined;
  return lineOf(report, Math.max(1, Math.ceil((now - first) / DAY_MS)));
}

function lineOf({ hooks, events, suggestions }: TimingReport, days: number): string {
  const costly = hooks
    .map(({ event, hook, meanMs, n }) => ({ name: `${hook} (${event})`, meanMs, dayMs: (meanMs * n) / days }))
    .sort((a, b) => b.dayMs - a.dayMs)
    .slice(0, MOST_NAMED)
    .map(({ name, meanMs, dayMs }) => `${name} ${span(dayMs)} a day, ${Math.round(meanMs)} ms each`);
  const waited = events.reduce((sum, { elapsedMs, n }) => sum + elapsedMs * n, 0) / days;
  const help = suggestions[0] === undefined ? "" : ` Most would help: ${suggestions[0]}.`;
  return `Hooks in the last week: you waited ${span(waited)} a day. Slowest: ${costly.join("; ")}.${help} More: coppice hooks report`;
}

function span(ms: number): string {
  if (ms < 1000) return `${Math.round(ms)} ms`;
  return ms < 90_000 ? `${(ms / 1000).toFixed(1)} s` : `${(ms / 60_000).toFixed(1)} min`;
}

const NAME = /^weekly-(\d{1,9})$/;

/** A turn to say the line: which it was, and when, in milliseconds since the epoch. */
interface Turn {
  readonly number: number;
  readonly at: number;
}

function lastTurn(directory: string): Turn | undefined {
  let names: string[];
  try {
    names = readdirSync(directory);
  } catch {
    return undefined;
  }
  const number = Math.max(0, ...names.map((name) => Number(NAME.exec(name)?.[1] ?? 0)));
  if (number === 0) return undefined;
  const file = join(directory, `weekly-${number}`);
  // One that was cut off while it was written says when by its date.
  return { number, at: Number(readFileSync(file, "utf8")) || statSync(file).mtimeMs };
}

/** Takes the turn after the last one; false when another session has it, or nothing can be written. */
function takeTurn(directory: string, last: Turn | undefined, now: number): boolean {
  const number = last?.number ?? 0;
  try {
    makeStateDirectory(directory);
    writeFileSync(join(directory, `weekly-${number + 1}`), String(now), { flag: "wx", mode: 0o600 });
    rmSync(join(directory, `weekly-${number}`), { force: true });
    return true;
  } catch {
    return false;
  }
}
