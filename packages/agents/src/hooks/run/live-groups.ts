import { type ChildProcess, spawn } from "node:child_process";
import { endGroup } from "./process-group.ts";

/** Reads group ids until its input ends, which happens when we are gone, then ends what is still there. */
const WATCHDOG =
  'g=; while read -r l; do g=$l; done; [ -n "$g" ] || exit 0; for p in $g; do kill -s TERM -- "-$p" 2>/dev/null; done; sleep 1; for p in $g; do kill -s KILL -- "-$p" 2>/dev/null; done';

/** How long hooks may run before someone is set to watch over them; short events are not worth a process. */
const WATCH_AFTER_MS = 400;

/** The process groups that hooks run in right now; none of them outlives this process, not even after `kill -9`. */
export class LiveGroups {
  readonly #pids = new Set<number>();
  #watchdog: ChildProcess | undefined;
  #timer: NodeJS.Timeout | undefined;

  add(pid: number): void {
    this.#pids.add(pid);
    if (this.#watchdog !== undefined) this.#tell();
    else this.#timer ??= setTimeout(() => this.#watch(), WATCH_AFTER_MS).unref();
  }

  delete(pid: number): void {
    this.#pids.delete(pid);
    if (this.#watchdog !== undefined) this.#tell();
  }

  /** Ends every group and waits for it. */
  async endAll(graceMs: number): Promise<void> {
    await Promise.all([...this.#pids].map((pid) => endGroup(pid, graceMs)));
  }

  /** Lets the watchdog go; the groups must have ended. */
  close(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#watchdog?.stdin?.end("\n");
    this.#watchdog = undefined;
  }

  #watch(): void {
    if (this.#pids.size === 0) {
      this.#timer = undefined;
      return;
    }
    // In a session of its own, so that whoever ends our group does not end it too.
    const watchdog = spawn("/bin/sh", ["-c", WATCHDOG], { detached: true, stdio: ["pipe", "ignore", "ignore"] });
    watchdog.on("error", () => {});
    watchdog.stdin.on("error", () => {});
    watchdog.unref();
    this.#watchdog = watchdog;
    this.#tell();
  }

  #tell(): void {
    this.#watchdog?.stdin?.write(`${[...this.#pids].join(" ")}\n`);
  }
}
