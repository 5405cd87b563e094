import { rmSync } from "node:fs";
import type { RunEnd } from "../contract/event.ts";
import type { OpenRun } from "../run-directory/open-run.ts";
import { hashOfResult, sealJournal } from "../run-directory/result-check.ts";
import { writeResultFile } from "../run-directory/result-file.ts";
import type { OutcomeBook } from "./outcome-book.ts";
import type { RunDone } from "./run.ts";
import type { RunRecord } from "./run-record.ts";

/** Writes the end down, in the order that loses nothing: journal, sync, result, lock. */
export function closeDone(
  open: OpenRun | undefined,
  record: RunRecord,
  book: OutcomeBook,
  done: RunDone<unknown>,
): void {
  const { digest, tells, reproducible } = done;
  try {
    const result = open === undefined ? undefined : hashOfResult(done.result);
    const hashed = result === undefined ? {} : { result };
    record.marker({ type: "run", event: "finished", at: Date.now(), tells, digest, reproducible, ...hashed });
    record.write();
    open?.writer.close();
    open?.lock.confirm();
    if (open !== undefined) {
      writeResultFile(open.directory, { id: open.file.id, ...done, journal: sealJournal(open.writer.path) });
    }
  } finally {
    book.close();
    open?.lock.release();
  }
}

/** A run that can be resumed says how it ended; one that came to nothing is removed. */
export function closeNotDone(
  open: OpenRun | undefined,
  record: RunRecord,
  book: OutcomeBook,
  end: Exclude<RunEnd, { state: "done" }>,
): void {
  // A new run that failed before it had any outcome has nothing to resume: it leaves nothing behind.
  const empty = end.state === "error" && open?.history === undefined && book.size === 0;
  let ours = false;
  try {
    record.marker({ type: "run", event: end.state, at: Date.now(), tells: end.tells, message: end.message });
    record.write();
    open?.writer.close();
    open?.lock.confirm();
    ours = true;
  } finally {
    book.close();
    open?.lock.release();
    if (open !== undefined && empty && ours) rmSync(open.directory, { recursive: true, force: true });
  }
}
