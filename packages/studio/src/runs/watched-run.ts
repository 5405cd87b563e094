import { basename } from "node:path";
import type { RunEvent } from "@coppice/engine";
import { RunView } from "@coppice/engine/display";
import { beginning } from "@coppice/engine/printable";
import { type FollowedRun, factsOf, ReportBuilder, RunFollower, runningProcess } from "@coppice/engine/records";
import type { ResumeRow, RunDetail } from "../wire.ts";
import { TaskTable } from "./task-table.ts";

const MOST_RESUMES = 100;
const MOST_HOSTS = 1000;

/** What a run's directory says of it; what the studio adds is not in it. */
export type KnownRun = Omit<RunDetail, "place" | "mayAct" | "actions" | "marks" | "hasView">;

/** A run that somebody looks at: its files are read once, then only what is new in them, and folded into a bounded state. */
export class WatchedRun {
  readonly directory: string;
  readonly #follower: RunFollower;
  readonly #view = new RunView({ keys: false });
  readonly #report: ReportBuilder;
  readonly #resumes: ResumeRow[] = [];
  readonly #hosts: Record<number, string> = {};
  #tasks: TaskTable | undefined;
  #followed: FollowedRun = "running";
  #problem: string | undefined;
  #events = 0;

  constructor(directory: string) {
    this.directory = directory;
    this.#follower = new RunFollower(directory);
    this.#report = new ReportBuilder(this.#view);
  }

  /** Events seen so far: while this stays the same nothing has happened. */
  get events(): number {
    return this.#events;
  }

  get running(): boolean {
    return this.#problem === undefined && this.#followed === "running";
  }

  /** Reads what is new. A damaged journal is known up to its damage, and is not read again. */
  catchUp(): void {
    if (this.#problem !== undefined) return;
    try {
      this.#followed = this.#follower.catchUp((event) => this.#see(event));
    } catch (error) {
      this.#problem = error instanceof Error ? error.message : String(error);
    }
  }

  /** The tasks of the run, up to now. */
  tasks(): TaskTable {
    this.#tasks ??= new TaskTable(this.directory);
    try {
      this.#tasks.catchUp();
    } catch (error) {
      this.#problem ??= error instanceof Error ? error.message : String(error);
    }
    return this.#tasks;
  }

  state(now: number): KnownRun {
    const { file } = this.#follower;
    const facts = factsOf(file).filter(({ name }) => name !== "options");
    const report = this.#report.report([...facts, ...optionsIn(file.options)]);
    const { rate, fraction, etaMs, work } = this.#view.at(now);
    const owner = this.running ? runningProcess(this.directory) : undefined;
    return {
      ...report,
      id: basename(this.directory),
      directory: this.directory,
      state: this.#state(report.end?.state),
      running: this.running,
      fraction: report.end?.state === "done" ? 1 : fraction,
      ...(this.running && rate !== undefined ? { rate } : {}),
      ...(this.running && etaMs !== undefined ? { etaMs } : {}),
      ...(work === undefined ? {} : { work }),
      ...(owner === undefined ? {} : { process: owner }),
      ...(this.#problem === undefined ? {} : { problem: this.#problem }),
      resumes: [...this.#resumes],
      hosts: { ...this.#hosts },
    };
  }

  #state(end: "done" | "stopped" | "interrupted" | "error" | undefined): RunDetail["state"] {
    if (this.#problem !== undefined) return "damaged";
    if (this.#followed === "running") return "running";
    return end === undefined ? "cut off" : end === "error" ? "failed" : end;
  }

  #see(event: RunEvent): void {
    this.#events++;
    this.#view.see(event);
    this.#report.see(event);
    if (event.type === "resumed" && this.#resumes.length < MOST_RESUMES) {
      const { reused, rerun, reasons } = event.plan;
      this.#resumes.push({ atMs: this.#report.report().activeMs, reused, rerun, reasons: reasons.slice(0, 20) });
    }
    const identity = event.type === "started" ? event.worker : event.type === "worker" ? event.identity : undefined;
    if (identity?.host !== undefined && identity.worker < MOST_HOSTS) this.#hosts[identity.worker] = identity.host;
  }
}

const MOST_OPTIONS = 100;
const MOST_LETTERS = 400;

/** Each option by itself, `planner.seed`: what differs between two runs is seen at once. */
function optionsIn(options: unknown, name = "options"): readonly { readonly name: string; readonly value: string }[] {
  if (options === null || options === undefined) return [];
  if (typeof options === "object" && !Array.isArray(options) && Object.keys(options).length > 0) {
    return Object.entries(options)
      .flatMap(([key, value]) => optionsIn(value, name === "options" ? key : `${name}.${key}`))
      .slice(0, MOST_OPTIONS);
  }
  const text = typeof options === "string" ? options : JSON.stringify(options);
  return [{ name, value: beginning(text, MOST_LETTERS) }];
}
