import { hash } from "node:crypto";
import { readFileSync } from "node:fs";
import { pidsOnLinux } from "./process-table.ts";
import { killQuietly } from "./send-signal.ts";

/**
 * A mark that neither an emptied environment nor a new session nor a parent's end takes away: the soft limit of file locks.
 * Linux hands it on to whatever a process starts, and has done nothing else with it since 2.4.25. Ten digits stand for the
 * run's token and five for its worker; who has the first ten belongs to the run.
 */
const RUN_DIGITS = 10;
const WORKER_DIGITS = 5;

/** The digits of a mark (`<run token>`, or `<run token>/<worker>`): those of a worker begin with those of its run. */
export function limitDigits(mark: string): string {
  const [token, worker] = mark.split("/");
  const first = 10 ** (RUN_DIGITS - 1);
  const run = first + (Number.parseInt(hash("sha256", token).slice(0, 12), 16) % (9 * first));
  return worker === undefined ? String(run) : `${run}${worker.slice(-WORKER_DIGITS).padStart(WORKER_DIGITS, "0")}`;
}

/** Live processes whose limit carries the mark, this one excepted. */
function limitMarked(mark: string): number[] {
  if (process.platform !== "linux") return [];
  const digits = limitDigits(mark);
  const size = RUN_DIGITS + WORKER_DIGITS;
  return pidsOnLinux().filter((pid) => {
    const carried = pid === process.pid ? undefined : limitOf(pid);
    return carried?.length === size && carried.startsWith(digits);
  });
}

/** Rounds of looking and ending: what is ended may have started another in between. */
const ROUNDS = 20;

/** Ends what carries the mark in its limits, and what that starts meanwhile. */
export function endLimitMarked(mark: string): void {
  for (let round = 0; round < ROUNDS; round++) {
    if (limitMarked(mark).filter((pid) => killQuietly(pid)).length === 0) return;
  }
}

function limitOf(pid: number): string | undefined {
  try {
    return /^Max file locks +(\d+) /m.exec(readFileSync(`/proc/${pid}/limits`, "latin1"))?.[1];
  } catch {
    return undefined;
  }
}
