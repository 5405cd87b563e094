import { type ChildProcess, spawn } from "node:child_process";
import { limitDigits } from "../child-process/limit-mark.ts";

/**
 * Has its parent carry a mark in its limits, if it is given one, then keeps the last list it was sent. When its input ends
 * without "bye", which happens when we are gone, it ends what is on the list and still the process it was, and whatever
 * carries the run's mark in its limits or its environment, until nothing is found.
 */
const WATCHER = `t=$0 d=$1; [ -z "$2" ] || prlimit --pid "$PPID" --locks="$2:" 2>/dev/null
l=; while read -r x; do l=$x; done; [ "$l" = bye ] && exit 0
is() { read -r s 2>/dev/null <"/proc/$1/stat" || return 1; b=$2; set -- \${s##*) }; [ "\${20}" = "$b" ]; }
found() { for p in $l; do is "\${p%:*}" "\${p#*:}" && echo "\${p%:*}"; done
for f in $(grep -lsE "^Max file locks +$d[0-9]{5} " /proc/[0-9]*/limits; grep -lsF "$t" /proc/[0-9]*/environ); do
f=\${f#/proc/}; echo "\${f%/*}"; done; }
end() { for p in $(found); do kill -s "$1" "$p" 2>/dev/null && n=1; done; }
end TERM; sleep 1; i=0 n=1; while [ "$n" = 1 ] && [ $i -lt 20 ]; do n= i=$((i+1)); end KILL; done`;

/** A shell that waits beside this process and, if that is killed, ends what a run has started. */
export class Watcher {
  readonly #shell: ChildProcess;

  /** `mark`: what this process is to carry in its limits, for all it starts. */
  constructor(runToken: string, mark?: string) {
    // In a session of its own, so that whoever ends our group does not end it too.
    const given = [runToken, limitDigits(runToken), mark === undefined ? "" : limitDigits(mark)];
    this.#shell = spawn("/bin/sh", ["-c", WATCHER, ...given], {
      cwd: "/", // it outlives us for a moment and must not keep our folder's disk busy
      detached: true,
      stdio: ["pipe", "ignore", "ignore"],
    });
    this.#shell.on("error", () => {});
    this.#shell.stdin?.on("error", () => {});
    this.#shell.unref();
  }

  /** What it ends beside what carries the mark: `<pid>:<start>`, with blanks between. */
  tell(list: string): void {
    this.#shell.stdin?.write(`${list}\n`);
  }

  /** Lets it go: everything has ended in order. */
  dismiss(): void {
    this.#shell.stdin?.end("bye\n");
  }
}
