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
  const accesses = noAccesses();
  const unfinished = new Map<string, string>();
  const directories = new Map<string, string>();
  for (const line of log.split("\n")) {
    const found = /^(\d+)\s+(.*)$/.exec(line);
    if (found === null) continue;
    const [, pid, text] = found;
    if (text.endsWith("<unfinished ...>")) {
      unfinished.set(pid, text.slice(0, -"<unfinished ...>".length).trimEnd());
      // The child of a fork may speak before its parent hears of it.
      continue;
    }
    const resumed = /^<\.\.\. \w+ resumed>(.*)$/.exec(text);
    const whole = resumed === null ? text : `${unfinished.get(pid) ?? ""}${resumed[1]}`;
    const call = /^(\w+)\((.*)\)\s*=\s*(-?\d+|\?)(.*)$/.exec(whole);
    if (call === null) continue;
    const annotated = /^AT_FDCWD<((?:[^>\\]|\\.)*)>/.exec(call[2])?.[1];
    if (annotated !== undefined) directories.set(pid, unescaped(annotated));
    const directory = directories.get(pid) ?? cwd;
    const resolve = (base: string | undefined, path: string): string =>
      normalize(isAbsolute(path) ? path : join(base ?? directory, path));
    note(accesses, { name: call[1], args: call[2], result: Number(call[3]), error: call[4] }, resolve, (change) => {
      if ("child" in change) directories.set(String(change.child), directory);
      else directories.set(pid, change.directory);
    });
  }
  return accesses;
}

interface Call {
  readonly name: string;
  readonly args: string;
  readonly result: number;
  readonly error: string;
}

type Change = { readonly child: number } | { readonly directory: string };

function note(
  to: Accesses,
  { name, args, result, error }: Call,
  resolve: (base: string | undefined, path: string) => string,
  changed: (change: Change) => void,
): void {
  if (/^(?:clone3?|v?fork)$/.test(name)) {
    if (result > 0) changed({ child: result });
    return;
  }
  if (name === "connect") {
    const address =
      /sin6?_addr=(?:inet_addr\(|inet_pton\(AF_INET6, )"([^"]+)"/.exec(args) ??
      /inet_pton\(AF_INET6, "([^"]+)"/.exec(args);
    if (address !== null) to.hosts.add(address[1]);
    return;
  }
  const paths = pathsOf(args).map(({ base, path }) => resolve(base, path));
  const [first, second] = paths;
  if (first === undefined) return;
  if (result < 0 && !error.includes("ENOENT")) return;
  const missing = result < 0;
  if (name === "chdir") {
    if (!missing) changed({ directory: first });
  } else if (name === "execve" || name === "execveat") {
    if (!missing) to.executed.add(first);
  } else if (name === "open" || name === "openat" || name === "openat2" || name === "creat") {
    if (missing) to.misses.add(first);
    else if (args.includes("O_DIRECTORY")) to.listed.add(first);
    else {
      const writing = name === "creat" || /O_WRONLY|O_RDWR|O_TRUNC/.test(args);
      if (writing) to.writes.add(first);
      if (!writing || (args.includes("O_RDWR") && !args.includes("O_TRUNC"))) to.reads.add(first);
      if (args.includes("O_CREAT") || name === "creat") to.made.add(first);
    }
  } else if (name.startsWith("rename")) {
    if (!missing) for (const path of paths) to.writes.add(path);
  } else if (name.startsWith("link") || name.startsWith("symlink")) {
    if (!missing) to.writes.add(second ?? first);
  } else if (
    /^(?:unlink|unlinkat|mkdir|mkdirat|rmdir|mknod|mknodat|truncate|chmod|fchmodat|chown|lchown|fchownat|utimensat|utime|utimes|futimesat|setxattr)$/.test(
      name,
    )
  ) {
    if (!missing) to.writes.add(first);
  } else if (/^(?:newfstatat|stat|lstat|statx|access|faccessat2?|readlink|readlinkat|getxattr|lgetxattr)$/.test(name)) {
    (missing ? to.misses : to.reads).add(first);
  }
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
