import { spawn, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import type { DiskOperation } from "./disk.ts";

const CALLS =
  "open openat creat write pwrite64 writev pwritev pwritev2 ftruncate truncate fsync fdatasync sync syncfs rename renameat renameat2 link linkat unlink unlinkat mkdir mkdirat rmdir symlink symlinkat copy_file_range sendfile chdir fchdir";

/** Why writes cannot be recorded here; undefined when they can. */
export function cannotTrace(): string | undefined {
  const { status, error } = spawnSync("strace", ["-qq", "-e", "trace=none", "true"], { stdio: "ignore" });
  if (error !== undefined) return "there is no strace";
  return status === 0 ? undefined : "strace may not trace here";
}

export interface TracedEnd {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
  /** What it and its children did below the root, in the order it was done. */
  readonly operations: readonly DiskOperation[];
}

export interface TracedCommand {
  readonly command: readonly string[];
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
}

/** Runs a program and records every change that it, its threads and its children make below a folder. */
export async function trace(root: string, { command, cwd, env }: TracedCommand): Promise<TracedEnd> {
  const place = mkdtempSync(join(tmpdir(), "coppice-trace-"));
  try {
    const output = join(place, "trace");
    const options = ["-f", "-qq", "-ttt", "-T", "-y", "-xx", "-s", "100000000", "-e", "signal=none"];
    const chosen = ["-e", "status=successful", "-e", `trace=${CALLS.replaceAll(" ", ",")}`, "-o", output];
    const child = spawn("strace", [...options, ...chosen, ...command], { cwd, env, stdio: ["ignore", "pipe", "pipe"] });
    let stdout = "";
    let stderr = "";
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      stdout += text;
    });
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      stderr += text;
    });
    const code = await new Promise<number | null>((settle, reject) => {
      child.on("error", reject);
      child.on("close", settle);
    });
    return { code, stdout, stderr, operations: readTrace(readFileSync(output, "latin1"), root, cwd) };
  } finally {
    rmSync(place, { recursive: true, force: true });
  }
}

const LINE = /^(\d+) +(\d+\.\d+) (\w+)\((.*)\) += (\d+)(?:<((?:\\x[0-9a-f]{2})*)>)?.* <(\d+\.\d+)>$/;
/** A string, a descriptor with what it is open on, or anything else between commas. */
const ARGUMENT = /"((?:\\x[0-9a-f]{2})*)"|(\w+)<((?:\\x[0-9a-f]{2})*)>(\(deleted\))?|[^",<>[\]{}]+/g;

interface Call {
  readonly name: string;
  readonly strings: readonly Buffer[];
  /** What descriptors are open on, in order; undefined of a file that has lost its name. */
  readonly places: readonly (string | undefined)[];
  readonly descriptor: string;
  readonly rest: string;
  readonly numbers: readonly number[];
  readonly returned: number;
  readonly opened: string | undefined;
}

function readTrace(text: string, root: string, cwd: string): DiskOperation[] {
  const reader = new TraceReader(root, cwd);
  const timed: { readonly at: number; readonly operation: DiskOperation }[] = [];
  for (const line of text.split("\n")) {
    const found = LINE.exec(line);
    if (found === null) continue;
    const [, pid, began, name, rest, returned, opened, took] = found;
    const begunAt = Number(began);
    const endedAt = begunAt + Number(took);
    const place = opened === undefined ? undefined : bytesOf(opened).toString("utf8");
    const call = { name, ...argumentsOf(rest), rest, returned: Number(returned), opened: place };
    for (const operation of reader.operationsOf(pid, call, begunAt, endedAt)) timed.push({ at: endedAt, operation });
  }
  return timed.sort((a, b) => a.at - b.at).map(({ operation }) => operation);
}

function argumentsOf(text: string): Pick<Call, "strings" | "places" | "descriptor" | "numbers"> {
  const strings: Buffer[] = [];
  const places: (string | undefined)[] = [];
  const numbers: number[] = [];
  let descriptor = "";
  for (const [whole, string, open, place, deleted] of text.matchAll(ARGUMENT)) {
    if (string !== undefined) strings.push(bytesOf(string));
    else if (open !== undefined) {
      if (descriptor === "") descriptor = open;
      places.push(deleted === undefined ? bytesOf(place).toString("utf8") : undefined);
    } else numbers.push(...(whole.match(/(?<=^|[ ,])\d+(?=$|[ ,])/g) ?? []).map(Number));
  }
  return { strings, places, descriptor, numbers };
}

function bytesOf(hex: string): Buffer {
  return Buffer.from(hex.replaceAll("\\x", ""), "hex");
}

/** Follows working directories and file positions, and turns calls into changes below the root. */
class TraceReader {
  readonly #root: string;
  readonly #cwd: string;
  readonly #cwds = new Map<string, string>();
  /** By descriptor and place; those opened for appending have none. */
  readonly #positions = new Map<string, number | "end">();

  constructor(root: string, cwd: string) {
    this.#root = root;
    this.#cwd = cwd;
  }

  operationsOf(pid: string, call: Call, begunAt: number, endedAt: number): DiskOperation[] {
    const { name, strings, places, rest } = call;
    if (rest.startsWith("AT_FDCWD<") && places[0] !== undefined) this.#cwds.set(pid, places[0]);
    const cwd = this.#cwds.get(pid) ?? this.#cwd;
    const given = (index: number, base: string | undefined) =>
      resolve(base ?? cwd, strings[index]?.toString("utf8") ?? "");
    const inRoot = (operation: DiskOperation) =>
      [operation.path, ...("from" in operation ? [operation.from] : [])].every((path) => this.#isInside(path));
    const operations = ((): DiskOperation[] => {
      switch (name) {
        case "chdir":
          this.#cwds.set(pid, given(0, undefined));
          return [];
        case "open":
        case "openat":
        case "creat":
          return this.#opened(call, endedAt);
        case "write":
        case "writev":
        case "pwrite64":
        case "pwritev":
        case "pwritev2":
          return this.#written(call, endedAt);
        case "ftruncate":
        case "truncate": {
          const path = name === "truncate" ? given(0, undefined) : places[0];
          const size = call.numbers.at(-1) ?? 0;
          return path === undefined ? [] : [{ kind: "truncate", path, size, endedAt }];
        }
        case "fsync":
        case "fdatasync":
          return places[0] === undefined ? [] : [{ kind: "sync", path: places[0], begunAt, endedAt }];
        case "rename":
        case "renameat":
        case "renameat2":
        case "link":
        case "linkat": {
          const kind = name.startsWith("rename") ? "rename" : "link";
          return [{ kind, from: given(0, places[0]), path: given(1, places[1]), endedAt }];
        }
        case "unlink":
        case "unlinkat":
        case "rmdir":
          return [{ kind: "remove", path: given(0, places[0]), endedAt }];
        case "mkdir":
        case "mkdirat":
          return [{ kind: "mkdir", path: given(0, places[0]), endedAt }];
        case "symlink":
        case "symlinkat": {
          const path = resolve(places[0] ?? cwd, strings[1]?.toString("utf8") ?? "");
          return [{ kind: "symlink", path, target: strings[0]?.toString("utf8") ?? "", endedAt }];
        }
        case "copy_file_range":
        case "sendfile":
          return this.#copied(call, endedAt);
        default:
          return [];
      }
    })();
    return operations.filter(inRoot);
  }

  #isInside(path: string): boolean {
    return path === this.#root || path.startsWith(`${this.#root}/`);
  }

  #opened({ name, rest, opened, returned }: Call, endedAt: number): DiskOperation[] {
    if (opened === undefined || !this.#isInside(opened)) return [];
    const creates = name === "creat" || rest.includes("O_CREAT");
    const empties = name === "creat" || rest.includes("O_TRUNC");
    this.#positions.set(`${returned} ${opened}`, rest.includes("O_APPEND") ? "end" : 0);
    const operations: DiskOperation[] = [];
    if (creates) operations.push({ kind: "create", path: opened, endedAt });
    if (empties) operations.push({ kind: "truncate", path: opened, size: 0, endedAt });
    return operations;
  }

  #written(call: Call, endedAt: number): DiskOperation[] {
    const [path] = call.places;
    if (path === undefined || !this.#isInside(path)) return [];
    const bytes = Buffer.concat(call.strings).subarray(0, call.returned);
    return [
      this.#put(call.descriptor, path, bytes, call.name.startsWith("p") ? call.numbers.at(-1) : undefined, endedAt),
    ];
  }

  #copied({ name, places, returned, descriptor }: Call, endedAt: number): DiskOperation[] {
    const [from, to] = name === "sendfile" ? [places[1], places[0]] : places;
    if (from === undefined || to === undefined || !this.#isInside(to)) return [];
    // Only whole files are copied this way, and what is copied stays where it is.
    return [
      this.#put(
        name === "sendfile" ? descriptor : "copy",
        to,
        readFileSync(from).subarray(0, returned),
        undefined,
        endedAt,
      ),
    ];
  }

  #put(descriptor: string, path: string, bytes: Buffer, at: number | undefined, endedAt: number): DiskOperation {
    const key = `${descriptor} ${path}`;
    const offset = at ?? this.#positions.get(key) ?? 0;
    if (at === undefined && offset !== "end") this.#positions.set(key, offset + bytes.length);
    return { kind: "write", path, offset, bytes, endedAt };
  }
}
