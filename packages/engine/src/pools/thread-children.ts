import { type ChildProcess, spawn } from "node:child_process";
import { childrenBelow, endStarted, type Started } from "../child-process/children-below.ts";

const LOOK_MS = 250;

/**
 * Keeps the last list it was sent. When its input ends without "bye", which happens when we are gone, it ends what is on the
 * list and still the process it was, and whatever carries the run's token in its environment.
 */
const WATCHER = `l=; while read -r x; do l=$x; done; [ "$l" = bye ] && exit 0
is() { read -r s 2>/dev/null <"/proc/$1/stat" || return 1; b=$2; set -- \${s##*) }; [ "\${20}" = "$b" ]; }
all() { for p in $l; do is "\${p%:*}" "\${p#*:}" && kill -s "$1" "\${p%:*}" 2>/dev/null; done
for f in $(grep -lsF "$0" /proc/[0-9]*/environ); do f=\${f#/proc/}; kill -s "$1" "\${f%/environ}" 2>/dev/null; done; }
all TERM; sleep 1; all KILL`;

/**
 * What the threads of a pool have started: threads are gone without a trace when their process is killed, so that somebody
 * else has to know. Looks every quarter of a second; only when there is a child is a watcher started, a shell that waits.
 */
export class ThreadChildren {
  readonly #runToken: string;
  /** By thread: its number for the system, and what was seen below it. */
  readonly #threads = new Map<() => number, Started>();
  #timer: NodeJS.Timeout | undefined;
  #watcher: ChildProcess | undefined;
  #told = "";

  constructor(runToken: string) {
    this.#runToken = runToken;
  }

  /** A thread is started; its number is 0 until it has said it. */
  add(thread: () => number): void {
    this.#threads.set(thread, new Map());
    this.#timer ??= setInterval(() => this.#look(), LOOK_MS).unref();
  }

  /** Looks at what a thread has started, before it ends. */
  see(thread: () => number): void {
    const number = thread();
    if (number > 0 && this.#threads.has(thread)) this.#threads.set(thread, childrenBelow(process.pid, number));
  }

  /** Ends what a thread has started: it may be waiting for that. */
  endBelow(thread: () => number): void {
    this.see(thread);
    endStarted(this.#threads.get(thread) ?? new Map());
  }

  /** A thread has ended: so does what it had started. */
  end(thread: () => number): void {
    endStarted(this.#threads.get(thread) ?? new Map());
    this.#threads.delete(thread);
    if (this.#threads.size > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
    this.#watcher?.stdin?.end("bye\n");
    this.#watcher = undefined;
  }

  #look(): void {
    for (const thread of this.#threads.keys()) this.see(thread);
    const list = [...this.#threads.values()].flatMap((started) =>
      [...started].map(([pid, start]) => `${pid}:${start}`),
    );
    const line = list.join(" ");
    if (line === this.#told) return;
    this.#told = line;
    this.#watcher ??= this.#watch();
    this.#watcher.stdin?.write(`${line}\n`);
  }

  #watch(): ChildProcess {
    // In a session of its own, so that whoever ends our group does not end it too.
    const arguments_ = ["-c", WATCHER, this.#runToken];
    const watcher = spawn("/bin/sh", arguments_, { detached: true, stdio: ["pipe", "ignore", "ignore"] });
    watcher.on("error", () => {});
    watcher.stdin?.on("error", () => {});
    watcher.unref();
    return watcher;
  }
}
