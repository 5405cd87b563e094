import { existsSync } from "node:fs";
import { join } from "node:path";
import type { RunEvent } from "../contract/event.ts";
import type { JournalEntry } from "../journal/entry.ts";
import { type LinesRead, readJournal } from "../journal/reader.ts";
import { startOf } from "../report/report-facts.ts";
import { runningProcess } from "../run-directory/lock.ts";
import { journalIn, neverBegan } from "../run-directory/open-run.ts";
import { type RunFile, readRunFile } from "../run-directory/run-file.ts";
import { EVENTS_NAME, readEvents } from "./event-file.ts";
import { tellEntry } from "./journal-events.ts";

/** How a followed run stands: nobody works on one that was `cut off`, and it did not say why. */
export type FollowedRun = "running" | "ended" | "cut off";

type See = (event: RunEvent) => void;

/**
 * A run of another process or of an earlier day, told again from its directory: what its journal and `events.ndjson`
 * say, in the order it happened, as a reader in the run's own process hears it. Reads only what is new.
 */
export class RunFollower {
  readonly file: RunFile;
  readonly #directory: string;
  #journal: LinesRead | undefined;
  #events: LinesRead | undefined;
  /** How sessions began, by `events.ndjson`: only there is how many workers they had. */
  readonly #starts: Extract<RunEvent, { type: "run-started" }>[] = [];
  #ended = false;

  constructor(directory: string) {
    this.#directory = directory;
    this.file = readRunFile(directory);
  }

  /** Passes on what was written since the last call. */
  catchUp(see: See): FollowedRun {
    // Looked at first: what a process wrote before it went away is then read below.
    const running = runningProcess(this.#directory) !== undefined;
    if (!neverBegan(this.#directory)) this.#tellNews(see);
    if (this.#ended) return "ended";
    return running ? "running" : "cut off";
  }

  /** Two files, one story: of what happened in the same millisecond the journal's comes first, but for the last words of a task. */
  #tellNews(see: See): void {
    const events = this.#newEvents();
    let next = 0;
    let end: RunEvent | undefined;
    const start = startOf(this.file, this.#directory);
    const tell = (event: RunEvent) => {
      const isEnd = event.type === "completed" || event.type === "failed";
      const isBefore = ({ at, type }: RunEvent) => at < event.at || (at === event.at && isEnd && type === "progress");
      for (; next < events.length && isBefore(events[next]); next++) see(events[next]);
      if (end !== undefined) see(end);
      end = event.type === "finished" ? event : undefined;
      if (end === undefined) see(event);
      this.#ended = end !== undefined;
    };
    const path = journalIn(this.#directory);
    const withWorkers = (at: number) => ({
      ...start,
      workers: this.#starts.find((each) => each.at >= at)?.start.workers ?? start.workers,
    });
    const read = (entry: JournalEntry) => tellEntry(entry, entry.type === "run" ? withWorkers(entry.at) : start, tell);
    this.#journal = readJournal(path, read, this.#journal);
    for (const event of events.slice(next)) see(event);
    if (end === undefined) return;
    // Whatever else there is to say of a run has been written before its end.
    for (const event of this.#newEvents()) see(event);
    see(end);
  }

  #newEvents(): RunEvent[] {
    const news: RunEvent[] = [];
    if (!existsSync(join(this.#directory, EVENTS_NAME))) return news;
    // Where a session begins the journal says as well.
    const keep = (event: RunEvent) => {
      if (event.type === "run-started") this.#starts.push(event);
      else news.push(event);
    };
    this.#events = readEvents(this.#directory, keep, this.#events);
    return news;
  }
}
