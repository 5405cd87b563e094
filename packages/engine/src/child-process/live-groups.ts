import { type ChildProcess, spawn } from "node:child_process";
import { killQuietly } from "./send-signal.ts";

/**
 * Is given group ids, reads others until its input ends, which happens when we are gone, then ends what is still there: the groups, and
 * whatever their members started in sessions of their own (as far as `ps` and `awk` are there to find it).
 */
const WATCHDOG = `g=$1; while read -r l; do g=$l; done; [ -n "$g" ] || exit 0
below() { ps -A -o pid= -o ppid= 2>/dev/null | awk -v roots="$g" '
  BEGIN { n = split(roots, r); for (i = 1; i <= n; i++) in_tree[r[i]] = 1 }
  { parent[$1] = $2 }
  END { do { more = 0; for (p in parent) if (!(p in in_tree) && parent[p] in in_tree) { in_tree[p] = more = 1; print p } } while (more) }
' 2>/dev/null; }
others=$(below)
for p in $g; do kill -s TERM -- "-$p" 2>/dev/null; done; for p in $others; do kill -s TERM "$p" 2>/dev/null; done
sleep 1
for p in $g; do kill -s KILL -- "-$p" 2>/dev/null; done; for p in $others; do kill -s KILL "$p" 2>/dev/null; done`;

/** How long children may run before someone is set to watch over them; short ones are not worth a process. */
const WATCH_AFTER_MS = 400;

/** How long nothing may run before the watch is over. */
const IDLE_MS = 1000;

/** Groups that live now, whoever keeps them: an end in a hurry (`process.exit`, a second Ctrl-C) takes them along. */
const alive = new Set<number>();
let listening = false;

function endWithUs(): void {
  if (listening) return;
  listening = true;
  process.on("exit", () => {
    for (const pid of alive) killQuietly(-pid);
  });
}

/** The process groups that children run in right now; none of them outlives this process, not even after `kill -9`. */
export class LiveGroups {
  readonly #pids = new Set<number>();
  #watchdog: ChildProcess | undefined;
  #timer: NodeJS.Timeout | undefined;
  #idle: NodeJS.Timeout | undefined;

  add(pid: number): void {
    endWithUs();
    alive.add(pid);
    this.#pids.add(pid);
    clearTimeout(this.#idle);
    if (this.#watchdog !== undefined) this.#tell();
    else this.#timer ??= setTimeout(() => this.#watch(), WATCH_AFTER_MS).unref();
  }

  delete(pid: number): void {
    alive.delete(pid);
    this.#pids.delete(pid);
    if (this.#watchdog === undefined) return;
    this.#tell();
    if (this.#pids.size === 0) this.#idle = setTimeout(() => this.close(), IDLE_MS).unref();
  }

  /** Lets the watchdog go; the groups must have ended. */
  close(): void {
    clearTimeout(this.#timer);
    clearTimeout(this.#idle);
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
    // What it is given it knows from its first moment, even if we are gone in the next.
    const watchdog = spawn("/bin/sh", ["-c", WATCHDOG, "sh", this.#groups()], {
      cwd: "/", // it outlives us for a moment and must not keep our folder's disk busy
      detached: true,
      stdio: ["pipe", "ignore", "ignore"],
    });
    watchdog.on("error", () => {});
    watchdog.stdin?.on("error", () => {});
    watchdog.unref();
    this.#watchdog = watchdog;
  }

  #tell(): void {
    this.#watchdog?.stdin?.write(`${this.#groups()}\n`);
  }

  #groups(): string {
    return [...this.#pids].join(" ");
  }
}
