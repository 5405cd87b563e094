import type { RunEnd, RunEvent, RunStart } from "../contract/event.ts";
import type { Failure } from "../contract/outcome.ts";
import type { JournalEntry, RunMarker } from "../journal/entry.ts";
import { decode } from "../values/encode.ts";

/** Passes on the events a journal's entry tells of, as the driver said them when it was written. */
export function tellEntry(entry: JournalEntry, start: RunStart, see: (event: RunEvent) => void): void {
  switch (entry.type) {
    case "queued":
      for (const [index, [key]] of entry.tasks.entries()) {
        see({ type: "queued", at: entry.at, ask: entry.ask + index, key });
      }
      return;
    case "started": {
      const { at, worker, pid, pidStart, host, asks } = entry;
      const identity = { worker, pid, pidStart, ...(host === undefined ? {} : { host }) };
      see({ type: "started", at, worker: identity, asks });
      return;
    }
    case "completed": {
      const { at, ask, key, worker, ms, from } = entry;
      see({ type: "completed", at, ask, key, worker, elapsedMs: ms, from });
      return;
    }
    case "failed": {
      const { at, ask, key, worker, ms, attempt, willRetry, detail } = entry;
      const failure = decode(entry.failure) as Failure;
      see({ type: "failed", at, ask, key, worker, elapsedMs: ms, attempt, willRetry, failure, detail });
      return;
    }
    case "requeued":
    case "cancelled":
      see(entry);
      return;
    case "run":
      tellMarker(entry, start, see);
      return;
    default:
      entry satisfies never;
  }
}

function tellMarker(marker: RunMarker, start: RunStart, see: (event: RunEvent) => void): void {
  const { at } = marker;
  switch (marker.event) {
    case "opened":
      see({ type: "run-started", at, start });
      return;
    case "truncated":
      see({ type: "note", at, message: `cut ${marker.bytes} bytes of an unfinished line off the journal's end` });
      return;
    case "takeover":
      see({ type: "note", at, message: `took the lock over from ${marker.from}` });
      return;
    case "changed":
      see({ type: "note", at, message: `the evaluator is different code from here on: ${marker.what}` });
      return;
    case "time-limit":
      see({ type: "note", at, message: `the time limit was reached at tell ${marker.tell}` });
      return;
    case "digest":
      see({ type: "told", at, asked: 0, told: marker.tells, search: {} });
      return;
    case "finished": {
      const { digest, tells, reproducible } = marker;
      see({ type: "finished", at, end: { state: "done", digest, tells, reproducible } });
      return;
    }
    case "stopped":
    case "interrupted":
    case "error": {
      const end: RunEnd = { state: marker.event, message: marker.message, tells: marker.tells };
      see({ type: "finished", at, end });
      return;
    }
    default:
      marker satisfies never;
  }
}
