import { join } from "node:path";
import type { RunEvent } from "../contract/event.ts";
import { type JournalSize, readJournal } from "../journal/reader.ts";
import { runningProcess } from "../run-directory/lock.ts";
import { JOURNAL_NAME, neverBegan } from "../run-directory/open-run.ts";
import { readRunFile } from "../run-directory/run-file.ts";
import { tellEntry } from "./report/journal-events.ts";
import { startOf } from "./report/run-facts.ts";
import { runLogEvents } from "./report/run-log-events.ts";

/** How a followed run stands: nobody works on one that was `cut off`, and it did not say why. */
export type FollowedRun = "running" | "ended" | "cut off";

/** A run that another process works on, told again from what that process writes into the run's directory. */
export class RunFollower {
  readonly #directory: string;
  readonly #start: ReturnType<typeof startOf>;
  #read: JournalSize | undefined;
  #logged = 0;
  #ended = false;

  constructor(directory: string) {
    this.#directory = directory;
    this.#start = startOf(readRunFile(directory), directory);
  }

  /** Passes on what was written since the last call. */
  catchUp(see: (event: RunEvent) => void): FollowedRun {
    // Looked at first: what a process wrote before it went away is then read below.
    const running = runningProcess(this.#directory) !== undefined;
    const journaled = this.#journalNews();
    const end = this.#ended ? journaled.pop() : undefined;
    // Two files, one story: a stable sort keeps what happened in the same millisecond as each file has it.
    const news = [...journaled, ...this.#logNews()].sort((a, b) => a.at - b.at);
    for (const event of news) see(event);
    // The log's last words may be younger than the end itself.
    if (end !== undefined) see(end);
    if (this.#ended) return "ended";
    return running ? "running" : "cut off";
  }

  #journalNews(): RunEvent[] {
    if (neverBegan(this.#directory)) return [];
    const news: RunEvent[] = [];
    this.#read = readJournal(
      join(this.#directory, JOURNAL_NAME),
      (entry) => tellEntry(entry, this.#start, (event) => news.push(event)),
      this.#read,
    );
    for (const { type } of news) {
      if (type === "finished") this.#ended = true;
      else if (type === "run-started") this.#ended = false;
    }
    return news;
  }

  #logNews(): RunEvent[] {
    const logged = [...runLogEvents(this.#directory)];
    const news = logged.slice(this.#logged);
    this.#logged = logged.length;
    return news;
  }
}
