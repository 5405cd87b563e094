import { realpathSync } from "node:fs";
import { join, resolve } from "node:path";
import { runIds } from "@coppice/engine/records";
import { UsageError } from "@coppice/engine/usage-error";
import { type CommandLine, Jobs } from "../actions/jobs.ts";
import { actionsFor } from "../actions/run-actions.ts";
import { againWords } from "../actions/start-again.ts";
import { MarksFile, noMarks } from "../runs/marks.ts";
import { RunChanges } from "../runs/run-change.ts";
import { changeBetween, RunLister } from "../runs/run-list.ts";
import type { WatchedRun } from "../runs/watched-run.ts";
import { WatchedRuns } from "../runs/watched-runs.ts";
import { hasView, ToolViews } from "../views/tool-views.ts";
import type { Marks, RunDetail, RunList } from "../wire.ts";
import { Feed } from "./feed.ts";

/** What the studio knows: folders of runs, the runs somebody looks at, and who listens to them. */
export class Studio {
  readonly project: string;
  readonly jobs: Jobs;
  readonly lister: RunLister;
  readonly views = new ToolViews();
  readonly #line: CommandLine;
  /** Whether whoever asks has shown a token. */
  readonly #mayAct: boolean;
  readonly #places: readonly string[];
  readonly #watched = new WatchedRuns();
  readonly #feeds = new Map<string, Feed<RunDetail>>();
  #listFeed: Feed<RunList> | undefined;

  constructor(places: readonly string[], line: CommandLine, project: string, mayAct: boolean) {
    this.#mayAct = mayAct;
    this.project = project;
    this.#places = places.map((place) => resolve(place));
    this.#line = line;
    this.jobs = new Jobs(line);
    this.lister = new RunLister(this.#places, this.#watched);
  }

  /** The directory of a run that is in one of the folders, and no other. */
  directory(place: number, id: string): string {
    const runs = this.#places.at(Number.isInteger(place) && place >= 0 ? place : this.#places.length);
    if (runs === undefined || !runIds(runs).includes(id)) throw new UsageError("there is no such run here");
    const directory = join(runs, id);
    if (realpathSync(directory) !== join(realpathSync(runs), id)) throw new UsageError("there is no such run here");
    return directory;
  }

  /** A run, up to now. */
  run(place: number, id: string): WatchedRun {
    const run = this.#watched.get(this.directory(place, id));
    run.catchUp();
    return run;
  }

  detail(place: number, id: string): RunDetail {
    const known = this.#watched.look(this.directory(place, id));
    const marks = new MarksFile(this.#places[place]).read().get(id) ?? noMarks;
    const mayAct = this.#mayAct;
    const again = mayAct ? againWords(this.directory(place, id)) : undefined;
    const actions = actionsFor(known, this.#line.name);
    const own = { place, marks, mayAct, actions, hasView: hasView(known) };
    return { ...known, ...own, ...(again === undefined ? {} : { again }) };
  }

  mark(place: number, id: string, marks: unknown): Marks {
    this.directory(place, id);
    return new MarksFile(this.#places[place]).write(id, marks);
  }

  listFeed(): Feed<RunList> {
    this.#listFeed ??= new Feed({
      look: () => this.lister.list(),
      change: (earlier, later) => {
        const change = changeBetween(earlier ?? later, later);
        return change.runs.length + change.gone.length === 0 ? undefined : change;
      },
    });
    return this.#listFeed;
  }

  runFeed(place: number, id: string): Feed<RunDetail> {
    const directory = this.directory(place, id);
    for (const [name, feed] of this.#feeds) if (name !== directory && feed.listeners === 0) this.#feeds.delete(name);
    const known = this.#feeds.get(directory);
    if (known !== undefined) return known;
    const changes = new RunChanges();
    const feed = new Feed<RunDetail>({
      look: () => this.detail(place, id),
      change: (_, later) => changes.next(later, performance.now()),
    });
    this.#feeds.set(directory, feed);
    return feed;
  }

  close(): void {
    this.#listFeed?.close();
    for (const feed of this.#feeds.values()) feed.close();
    this.jobs.close();
  }
}
