import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";

/** Where in a write to the journal the process is killed. */
type Moment = "before" | "between" | "after";

export interface Kill {
  /** Number of the journal write, from 1. */
  readonly write: number;
  readonly moment: Moment;
  /** Whom: this process, or the worker process that was last given work. */
  readonly victim: "coordinator" | "worker";
}

/**
 * Makes this process, or one of its workers, die by SIGKILL at exact places: just before a journal write, in the middle
 * of it (half of the bytes have reached the file), or just after. Random times would rarely hit those.
 */
export function killAtWrites(journalPath: string, kills: readonly Kill[]): void {
  const { openSync, writeSync } = fs;
  let journal = -1;
  let writes = 0;
  let lastWorker = 0;
  const strike = (victim: Kill["victim"]) => {
    const pid = victim === "coordinator" ? process.pid : lastWorker;
    try {
      if (pid > 0) process.kill(pid, "SIGKILL");
    } catch {
      // The worker has ended by itself.
    }
  };
  fs.openSync = (path, ...rest) => {
    const fd = openSync(path, ...rest);
    if (path === journalPath && rest[0] === "a") journal = fd;
    return fd;
  };
  const watched = (fd: number, bytes: Uint8Array, offset = 0): number => {
    if (fd !== journal) return writeSync(fd, bytes, offset);
    const kill = kills.find(({ write }) => write === writes + 1);
    writes++;
    const [, pid] = /"type":"started".*?"pid":(\d+)/.exec(Buffer.from(bytes).toString("latin1")) ?? [];
    if (pid !== undefined && Number(pid) !== process.pid) lastWorker = Number(pid);
    if (kill?.moment === "before") strike(kill.victim);
    if (kill?.moment === "between") {
      const half = offset + ((bytes.length - offset) >> 1);
      const done = writeSync(fd, bytes, offset, half - offset);
      strike(kill.victim);
      return done;
    }
    const done = writeSync(fd, bytes, offset);
    if (kill?.moment === "after") strike(kill.victim);
    return done;
  };
  fs.writeSync = watched as typeof fs.writeSync;
  syncBuiltinESMExports();
}
