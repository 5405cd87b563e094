import { join } from "node:path";
import { beginning } from "@coppice/engine/printable";
import { JOURNAL_NAME, JournalDamaged, type JournalEntry, readJournal } from "@coppice/engine/records";
import type { AttemptLog, AttemptMade } from "../wire.ts";
import { loggedDuring } from "./task-logs.ts";

const MOST_TEXT = 20_000;
/** Of one task; retries are few, but its worker may be lost again and again. */
const MOST_ATTEMPTS = 50;
/** Of what the journal keeps with a failure. */
const MOST_LINES = 100;
const MOST_LETTERS = 2000;

/**
 * Every time that a worker had a task of a run, with what it logged then. `startedAt` is when the run began; `now` is given
 * if the task is at a worker.
 */
export function attemptsAt(
  directory: string,
  ask: number,
  startedAt: number | undefined,
  now: number | undefined,
): readonly AttemptMade[] {
  const made: AttemptMade[] = [];
  const sinceStart = (at: number) => at - (startedAt ?? at);
  let given: Given | undefined;
  const log = (toMs: number): AttemptLog | undefined =>
    given && {
      ...loggedDuring(directory, ask, { worker: given.worker, fromMs: given.at, toMs }),
      beside: given.beside,
    };
  const unanswered = (at: number, text: string): void => {
    if (given === undefined) return;
    const { worker, at: fromMs } = given;
    made.push({ worker, elapsedMs: at - fromMs, atMs: sinceStart(at), ok: false, text, ...logged(log(at)) });
    given = undefined;
  };
  const see = (entry: JournalEntry): void => {
    switch (entry.type) {
      case "started":
        if (!entry.asks.includes(ask)) return;
        unanswered(entry.at, "not answered");
        given = { worker: entry.worker, at: entry.at, asks: entry.asks, beside: entry.asks.length - 1 };
        return;
      case "requeued":
      case "cancelled":
        if (entry.ask === ask) unanswered(entry.at, `not answered: ${entry.reason}`);
        return;
      case "completed":
      case "failed": {
        if (entry.ask !== ask) {
          if (entry.worker === given?.worker && !given.asks.includes(entry.ask)) given.beside++;
          return;
        }
        const { attempt, worker, ms, at } = entry;
        made.push({
          ...{ attempt: attempt + 1, worker, elapsedMs: ms, atMs: sinceStart(at) },
          ...(entry.type === "completed" ? { ok: true, text: beginning(entry.value, MOST_TEXT) } : failed(entry)),
          ...logged(log(at), entry.type === "failed" ? entry.detail.logTail : undefined),
        });
        given = undefined;
        return;
      }
      default:
    }
  };
  try {
    readJournal(join(directory, JOURNAL_NAME), see);
  } catch (error) {
    if (!(error instanceof JournalDamaged)) throw error; // the page says so; up to there it is known
  }
  if (now !== undefined) unanswered(now, "it has this task now");
  return made.slice(-MOST_ATTEMPTS);
}

/** A task that was handed over, and with which others. */
interface Given {
  readonly worker: number;
  readonly at: number;
  readonly asks: readonly number[];
  /** Others that the worker had meanwhile. */
  beside: number;
}

type Failed = Extract<JournalEntry, { type: "failed" }>;

function failed({ failure, detail: { stack } }: Failed): Pick<AttemptMade, "ok" | "text" | "stack"> {
  const text = beginning(failureText(failure), MOST_TEXT);
  return { ok: false, text, ...(stack === undefined ? {} : { stack: beginning(stack, MOST_TEXT) }) };
}

/** What the log has of an attempt, or what the journal kept with its failure, where a run has no logs. */
function logged(log: AttemptLog | undefined, logTail: readonly string[] = []): Pick<AttemptMade, "log"> {
  if (log !== undefined && log.own.length + log.unmarked.length > 0) return { log };
  if (logTail.length === 0) return {};
  // These are the worker's last lines, whoever printed them.
  const unmarked = logTail.slice(-MOST_LINES).map((line) => beginning(line, MOST_LETTERS));
  return { log: { own: [], unmarked, beside: 1 } };
}

/** A failure in a sentence. */
export function failureText(encoded: string): string {
  try {
    const { type, message } = JSON.parse(encoded) as { readonly type: unknown; readonly message: unknown };
    return `${type}: ${message}`;
  } catch {
    return encoded;
  }
}
