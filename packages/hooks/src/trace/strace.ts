import { spawnSync } from "node:child_process";
import { isAbsolute, join, normalize } from "node:path";
import type { CommandLine } from "@coppice/engine/child-process";
import { type Accesses, noAccesses } from "./accesses.ts";

const CALLS = "trace=%file,connect,clone,clone3,fork,vfork";

/** Whether processes can be watched here: strace is installed and may trace. */
export function straceWorks(): boolean {
  const tried = spawnSync("strace", ["-f", "-qq", "-o", "/dev/null", "-e", CALLS, "true"], { stdio: "ignore" });
  return tried.status === 0;
}

/** The command under observation; every process it starts is followed, and the log goes to `file`. */
export function underStrace(command: CommandLine, file: string): CommandLine {
  const watched = command.kind === "shell" ? ["/bin/sh", "-c", command.line] : [command.file, ...command.args];
  const flags = ["-f", "-qq", "-y", "-s", "4096", "-e", "signal=none", "-e", CALLS, "-o", file, "--"];
  return { kind: "program", file: "strace", args: [...flags, ...watched] };
}

/** What a log says was touched. `cwd` is where the first process started. */
export function readStraceLog(log: string, cwd: string): Accesses {
  const reader = new LogReader(cwd);
  for (const line of log.split("\n")) reader.read(line);
  return reader.accesses;
}

const UNFINISHED = "<unfinished ...>";
const CHANGES =
  /^(?:unlink|mkdir|mknod)(?:at)?$|^(?:rmdir|truncate|chmod|fchmodat|l?chown|fchownat|utimensat|utimes?|futimesat|setxattr)$/;
const LOOKS = /^(?:newfstatat|stat|lstat|statx|access|faccessat2?|readlink|readlinkat|getxattr|lgetxattr)$/;

class LogReader {
  readonly accesses = noAccesses();
  readonly #cwd: string;
  /** Where each process stands, and the call it is in. */
  readonly #directories = new Map<string, string>();
  readonly #unfinished = new Map<string, string>();

  constructor(cwd: string) {
    this.#cwd = cwd;
  }

  read(line: string): void {
    const found = /^(\d+)\s+(.*)$/.exec(line);
    if (found === null) return;
    const [, pid, text] = found;
    // Another process speaks in between; the child of a fork may do so before its parent hears of it.
    if (text.endsWith(UNFINISHED)) {
      this.#unfinished.set(pid, text.slice(0, -UNFINISHED.length).trimEnd());
      return;
    }
    const resumed = /^<\.\.\. \w+ resumed>(.*)$/.exec(text);
    const whole = resumed === null ? text : `${this.#unfinished.get(pid) ?? ""}${resumed[1]}`;
    const call = /^(\w+)\((.*)\)\s*=\s*(-?\d+|\?)(.*)$/.exec(whole);
    if (call === null) return;
    const [, name, args, result, error] = call;
    const annotated = /^AT_FDCWD<((?:[^>\\]|\\.)*)>/.exec(args)?.[1];
    if (annotated !== undefined) this.#directories.set(pid, unescaped(annotated));
    const directory = this.#directories.get(pid) ?? this.#cwd;
    if (/^(?:clone3?|v?fork)$/.test(name)) {
      if (Number(result) > 0) this.#directories.set(result, directory);
    } else if (name === "connect") {
      const address = /(?:inet_addr\(|inet_pton\(AF_INET6, )"([^"]+)"/.exec(args);
      if (address !== null) this.accesses.hosts.add(address[1]);
    } else if (Number(result) >= 0 || result === "?" || error.includes("ENOENT")) {
      const paths = pathsOf(args).map(({ base, path }) =>
        normalize(isAbsolute(path) ? path : join(base ?? directory, path)),
      );
      if (paths.length === 0) return;
      if (Number(result) < 0) this.#miss(name, paths[0]);
      else if (name === "chdir") this.#directories.set(pid, paths[0]);
      else this.#touch(name, args, paths);
    }
  }

  #miss(name: string, path: string): void {
    if (LOOKS.test(name) || isOpen(name)) this.accesses.misses.add(path);
  }

  #touch(name: string, args: string, paths: readonly string[]): void {
    const to = this.accesses;
    const [first, second = first] = paths;
    if (name === "execve" || name === "execveat") to.executed.add(first);
    else if (name.startsWith("rename")) for (const path of paths) to.writes.add(path);
    else if (name.startsWith("link") || name.startsWith("symlink")) to.writes.add(second);
    else if (CHANGES.test(name)) to.writes.add(first);
    else if (LOOKS.test(name)) to.reads.add(first);
    else if (isOpen(name) && args.includes("O_DIRECTORY")) to.listed.add(first);
    else if (isOpen(name)) {
      const writing = name === "creat" || /O_WRONLY|O_RDWR|O_TRUNC/.test(args);
      if (writing) to.writes.add(first);
      if (!writing || (args.includes("O_RDWR") && !args.includes("O_TRUNC"))) to.reads.add(first);
      if (name === "creat" || args.includes("O_CREAT")) to.made.add(first);
    }
  }
}

function isOpen(name: string): boolean {
  return /^(?:open(?:at2?)?|creat)$/.test(name);
}

/** The paths in a call's arguments, each with the directory it is relative to if the call says it. */
function pathsOf(args: string): readonly { base: string | undefined; path: string }[] {
  const paths: { base: string | undefined; path: string }[] = [];
  // A descriptor with its path, an optional comma, then a quoted path; structures and lists are not looked into.
  const pattern = /(?:(?:AT_FDCWD|\d+)<((?:[^>\\]|\\.)*)>, )?"((?:[^"\\]|\\.)*)"/g;
  const end = args.search(/[[{]/);
  for (const found of (end < 0 ? args : args.slice(0, end)).matchAll(pattern)) {
    if (found[2] !== "")
      paths.push({ base: found[1] === undefined ? undefined : unescaped(found[1]), path: unescaped(found[2]) });
  }
  return paths;
}

/** Undoes the log's escapes: octal bytes, quotes, backslashes. */
function unescaped(text: string): string {
  if (!text.includes("\\")) return text;
  const named: Readonly<Record<string, number>> = { n: 10, t: 9, r: 13, v: 11, f: 12 };
  const bytes: number[] = [];
  for (const part of text.matchAll(/\\([0-7]{1,3})|\\(.)|([^\\]+)/gs)) {
    if (part[1] !== undefined) bytes.push(Number.parseInt(part[1], 8));
    else if (part[2] !== undefined) bytes.push(named[part[2]] ?? part[2].charCodeAt(0));
    else bytes.push(...Buffer.from(part[3]));
  }
  return Buffer.from(bytes).toString("utf8");
}
