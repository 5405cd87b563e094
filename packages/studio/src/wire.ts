import type { RunSnapshot } from "@coppice/engine/display";
import type { RunDiff, RunReport, RunSummary } from "@coppice/engine/records";

// What the server and the page say to each other, as JSON.

/** A folder of runs. */
export interface PlaceRow {
  readonly path: string;
}

/** What somebody wrote beside a run. */
export interface Marks {
  readonly tags: readonly string[];
  readonly note: string;
}

/** One run in the list. */
export interface RunRow extends RunSummary {
  /** Number of the folder it is in. */
  readonly place: number;
  readonly asked?: number;
  readonly best?: number;
  /** 0 … 1, of a run that goes on. */
  readonly fraction?: number;
  readonly etaMs?: number;
  readonly marks: Marks;
}

/** Everything in the list, and which of its states this is. */
export interface RunList {
  readonly places: readonly PlaceRow[];
  readonly runs: readonly RunRow[];
}

/** What changed in the list: rows that are new or different, and runs that went away. */
export interface RunListChange {
  readonly runs: readonly RunRow[];
  readonly gone: readonly { readonly place: number; readonly id: string }[];
}

/** What one resume found in the journal. */
export interface ResumeRow {
  /** Time at work before it. */
  readonly atMs: number;
  readonly reused: number;
  readonly rerun: number;
  readonly reasons: readonly string[];
}

type LiveFields = "rate" | "fraction" | "etaMs" | "work";

/** Everything that is known of a run, of bounded size however long it is. */
export interface RunDetail extends RunReport, Partial<Pick<RunSnapshot, LiveFields>> {
  readonly id: string;
  readonly place: number;
  readonly directory: string;
  readonly state: RunSummary["state"];
  /** What is wrong with its files. */
  readonly problem?: string;
  readonly process?: { readonly pid: number; readonly host: string };
  readonly resumes: readonly ResumeRow[];
  /** Machine of each worker that is not on the session's own. */
  readonly hosts: Readonly<Record<number, string>>;
  /** Whether whoever looks may also act: with a token, which an exported file has not. */
  readonly mayAct: boolean;
  readonly actions: readonly ActionRow[];
  /** The words it was started with, which may be changed to start another; absent where that is not known or not allowed. */
  readonly again?: readonly string[];
  readonly marks: Marks;
  /** Whether its tool has something to show of it. */
  readonly hasView: boolean;
}

/** What a file that was exported shows, without a server: a run, or what a tool has to show without one. */
export type Embedded = EmbeddedRun | EmbeddedView;

/** What a tool has to show that is not of a run. */
export interface EmbeddedView {
  readonly title: string;
  /** As a run of the tool would name it. */
  readonly tool: string;
  readonly view: object;
}

/** A run as a file has it. */
export interface EmbeddedRun {
  readonly run: RunDetail;
  /** What the run's tool has to show of it. */
  readonly view?: object;
  /** The first tasks, and how many there are. */
  readonly tasks: TaskWindow;
  readonly files: readonly FileRow[];
  /** What is in some of them, by path: those that the tool's part of the page opens. */
  readonly texts: Readonly<Record<string, string>>;
}

/** How a task stands. */
export type TaskState = "waiting" | "running" | "done" | "cached" | "failed" | "withdrawn";

/** One row of the tasks table. */
export interface TaskRow {
  readonly ask: number;
  readonly key: string;
  /** How its text begins, where the key does not say it and the journal does. */
  readonly candidate?: string;
  readonly state: TaskState;
  readonly attempts: number;
  /** The earlier ask for the same key that it got its answer from. */
  readonly sameAs?: number;
  readonly worker?: number;
  /** Milliseconds from the run's first start to the outcome, pauses included. */
  readonly atMs?: number;
  readonly elapsedMs?: number;
  /** The outcome's text, cut. */
  readonly outcome?: string;
}

/** A window of the tasks table. */
export interface TaskWindow {
  /** How many tasks the filter leaves. */
  readonly total: number;
  readonly from: number;
  readonly rows: readonly TaskRow[];
}

/** Everything that is known of one task, as far as it is short. */
export interface TaskDetail extends TaskRow {
  readonly attemptsMade: readonly AttemptMade[];
}

/** One time that a worker had a task. */
export interface AttemptMade {
  /** Without a number if it came to no answer: it goes on, or its worker was lost. */
  readonly attempt?: number;
  readonly worker: number;
  readonly atMs: number;
  readonly elapsedMs: number;
  readonly text: string;
  readonly ok: boolean;
  readonly stack?: string;
  readonly log?: AttemptLog;
}

/** The last lines that a worker logged in some time: those of a task, and those that do not say whose they are. */
export interface LoggedLines {
  readonly own: readonly string[];
  readonly unmarked: readonly string[];
}

/** What was logged while a worker had a task. */
export interface AttemptLog extends LoggedLines {
  /** Other tasks that the worker answered in that time: each of them may have printed what is unmarked. */
  readonly beside: number;
}

/** A file in a run's folder. */
export interface FileRow {
  readonly path: string;
  readonly bytes: number;
  readonly modifiedAt: number;
}

export const actionNames = ["stop", "resume", "verify"] as const;

export type ActionName = (typeof actionNames)[number];

/** Something that can be done with a run, and the command it stands for. */
export interface ActionRow {
  readonly name: ActionName;
  readonly command: string;
}

/** A command that the studio started. */
export interface Job {
  readonly id: number;
  readonly command: string;
  readonly startedAt: number;
  /** Undefined while it goes on. */
  readonly exitCode?: number;
  /** The end of what it printed. */
  readonly output: string;
}

/** Two runs side by side. */
export interface Comparison {
  readonly runs: readonly [RunDetail, RunDetail];
  readonly diff: RunDiff;
  /** Whether they are the same, or where they first differ, in a sentence. */
  readonly verdict: string;
  readonly facts: readonly {
    readonly name: string;
    readonly values: readonly [string, string];
    readonly same: boolean;
  }[];
}
