import type { ResumeFacts, RunEnd, RunEvent, RunStart } from "../contract/event.ts";
import { counted, formatCount, formatMeasured } from "./figures.ts";

/** What people are told of an event at once; of most events they are told nothing. Trouble may come by the hundred. */
interface Announcement {
  readonly kind: "fact" | "trouble" | "end";
  readonly lines: readonly string[];
}

/** What people are told of an event; undefined for those that displays only count. */
export function announcement(event: RunEvent): Announcement | undefined {
  switch (event.type) {
    case "run-started":
      return { kind: "fact", lines: event.says ?? [startedText(event.start)] };
    case "resumed":
      return { kind: "fact", lines: [resumedText(event.plan)] };
    case "note":
      return { kind: "fact", lines: [event.message] };
    case "told": {
      const lines = (event.news ?? []).flatMap(({ says }) => says ?? []);
      return lines.length === 0 ? undefined : { kind: "fact", lines };
    }
    case "failed":
      return { kind: "trouble", lines: event.says ?? [failedText(event)] };
    case "requeued":
      return { kind: "trouble", lines: [requeuedText(event)] };
    case "finished":
      return { kind: "end", lines: event.says ?? endLines(event.end) };
    default:
      return undefined;
  }
}

/** `run 17: 4 threads, seed 42, lookahead 1,024`. */
export function startedText(start: RunStart): string {
  const where = start.directory === undefined ? "" : `, in ${start.directory}`;
  const pool = start.workers > 0 ? `${counted(start.workers, "worker")} (${start.pool})` : start.pool;
  return `run ${start.id}: ${pool}, seed ${start.seed}, lookahead ${formatCount(start.lookahead)}${where}`;
}

/** What a resumed run will reuse and rerun, and why. */
export function resumedText({ reused, rerun, reasons }: ResumeFacts): string {
  const why = reasons.length > 0 ? ` (${reasons.join("; ")})` : "";
  return `resumed: ${counted(reused, "outcome")} reused from the journal, ${counted(rerun, "task")} to run again${why}`;
}

/** One line about a failed attempt at what people call `name`. */
export function failedText(event: Extract<RunEvent, { type: "failed" }>, name = `task ${event.ask}`): string {
  const { failure, detail } = event;
  const facts = [
    `attempt ${event.attempt + 1}`,
    `worker ${event.worker}`,
    `after ${formatMeasured(event.elapsedMs)}`,
    // How a worker ended that was stopped at a time limit says nothing of the task.
    ...(detail.exitCode === undefined || detail.timedOut ? [] : [`exit code ${detail.exitCode}`]),
    ...(detail.signal === undefined || detail.timedOut ? [] : [detail.signal]),
  ];
  const then = event.willRetry ? ", will be tried again" : "";
  return `${name} failed (${facts.join(", ")}): ${failure.type}: ${firstLine(failure.message)}${then}`;
}

/** One line about a task whose worker was lost. */
export function requeuedText({ ask, reason }: Extract<RunEvent, { type: "requeued" }>): string {
  return `task ${ask} requeued: ${firstLine(reason)}`;
}

/** How a run ended and what that is worth; the digest has a line of its own. */
export function endLines(end: RunEnd): string[] {
  if (end.state !== "done") return [`${end.state} after ${counted(end.tells, "tell")}: ${firstLine(end.message)}`];
  const { tells, digest, reproducible } = end;
  const from =
    reproducible.from === "seed"
      ? "reproducible from its seed"
      : `reproducible from its journal, not from its seed: ${reproducible.reason} at tell ${reproducible.tell}`;
  return [`done after ${counted(tells, "tell")}, ${from}`, `digest ${digest}`];
}

/** What is shown of a message; all of it is in the run's journal, and in the worker's log. */
const SHOWN = 1000;

function firstLine(text: string): string {
  const end = text.indexOf("\n");
  const line = end < 0 ? text : `${text.slice(0, end)} …`;
  if (line.length <= SHOWN) return line;
  return `${line.slice(0, SHOWN)} … (${formatCount(text.length)} characters: all that was kept is in the run's journal)`;
}
