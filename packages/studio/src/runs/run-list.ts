import { statSync } from "node:fs";
import { join } from "node:path";
import { onlyGiven } from "@coppice/engine/only-given";
import { EVENTS_NAME, JOURNAL_NAME, readEvents, runIds, runningProcess, summarizeRun } from "@coppice/engine/records";
import { seenFromHere } from "../actions/run-actions.ts";
import type { RunList, RunListChange, RunRow } from "../wire.ts";
import { MarksFile, noMarks } from "./marks.ts";
import type { WatchedRuns } from "./watched-runs.ts";

/** Where in a run's events its last word on the search stands: within this of their end. */
const TAIL_BYTES = 64 * 1024;

interface KnownRow {
  readonly stamp: string;
  readonly row: Omit<RunRow, "marks">;
}

/** Every run of some folders. What has not changed on disk is not read again. */
export class RunLister {
  readonly #places: readonly string[];
  readonly #watched: WatchedRuns;
  readonly #marks: readonly MarksFile[];
  readonly #known = new Map<string, KnownRow>();

  constructor(places: readonly string[], watched: WatchedRuns) {
    this.#places = places;
    this.#watched = watched;
    this.#marks = places.map((place) => new MarksFile(place));
  }

  list(): RunList {
    const runs = this.#places.flatMap((path, place) => {
      const marks = this.#marks[place].read();
      return idsIn(path).map((id) => ({ ...this.#row(place, id), marks: marks.get(id) ?? noMarks }));
    });
    return { places: this.#places.map((path) => ({ path: seenFromHere(path) })), runs };
  }

  #row(place: number, id: string): Omit<RunRow, "marks"> {
    const directory = join(this.#places[place], id);
    const running = runningProcess(directory) !== undefined;
    const stamp = running ? "" : stampOf(directory);
    const known = this.#known.get(directory);
    if (known !== undefined && !running && known.stamp === stamp) return known.row;
    const row = running ? this.#liveRow(place, id) : { ...summarizeRun(directory, id), ...lastTold(directory), place };
    this.#known.set(directory, { stamp, row });
    return row;
  }

  /** A run that goes on is followed: reading all of its journal each time would take longer and longer. */
  #liveRow(place: number, id: string): Omit<RunRow, "marks"> {
    const directory = join(this.#places[place], id);
    try {
      const { state, start, told, asked, best, fraction, etaMs, startedAt, activeMs, end } =
        this.#watched.look(directory);
      return {
        id,
        place,
        state,
        tells: told,
        asked,
        startedAt: new Date(startedAt).toISOString(),
        tookMs: activeMs,
        ...(start === undefined ? {} : { tool: start.tool }),
        ...onlyGiven({ best, fraction, etaMs }),
        ...(end?.state === "done" ? { digest: end.digest } : {}),
      };
    } catch {
      return { ...summarizeRun(directory, id), place };
    }
  }
}

/** What is different in a later list. */
export function changeBetween(earlier: RunList, later: RunList): RunListChange {
  const name = ({ place, id }: { readonly place: number; readonly id: string }) => `${place}/${id}`;
  const before = new Map(earlier.runs.map((run) => [name(run), JSON.stringify(run)]));
  const now = new Set(later.runs.map(name));
  return {
    runs: later.runs.filter((run) => before.get(name(run)) !== JSON.stringify(run)),
    gone: earlier.runs.filter((run) => !now.has(name(run))).map(({ place, id }) => ({ place, id })),
  };
}

function idsIn(path: string): string[] {
  try {
    return runIds(path);
  } catch {
    return []; // taken away while the studio was open
  }
}

function stampOf(directory: string): string {
  return ["run.json", JOURNAL_NAME, EVENTS_NAME, "result.json", "lock"]
    .map((name) => statSync(join(directory, name), { throwIfNoEntry: false }))
    .map((stats) => (stats === undefined ? "" : `${stats.ino}:${stats.size}:${stats.mtimeMs}`))
    .join(" ");
}

/** What a search last said of itself: how much was asked, and the best value. */
function lastTold(directory: string): Pick<RunRow, "asked" | "best"> {
  const size = statSync(join(directory, EVENTS_NAME), { throwIfNoEntry: false })?.size;
  if (size === undefined) return {};
  let last: Pick<RunRow, "asked" | "best"> = {};
  // The first line from here is most likely cut, and skipped.
  const tail = { lines: 0, goodBytes: Math.max(0, size - TAIL_BYTES), tornBytes: 0 };
  try {
    readEvents(
      directory,
      (event) => {
        if (event.type !== "told") return;
        const { best } = event.search;
        last = { ...last, asked: event.asked, ...(best === undefined ? {} : { best }) };
      },
      tail,
    );
  } catch {
    return {}; // not a file
  }
  return last;
}
