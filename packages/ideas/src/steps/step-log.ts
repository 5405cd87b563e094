import { closeSync, mkdirSync, openSync, writeSync } from "node:fs";
import { dirname } from "node:path";

/** How much of a step's output its log keeps; what comes after is counted, and its end kept. */
const LOG_BYTES = 8 * 1024 * 1024;
const TAIL_BYTES = 16 * 1024;

type Channel = "stdout" | "stderr";

/** A step's own log: every line with the channel it came from, a header and a trailer, attempts one after the other. */
export class StepLog {
  readonly #fd: number;
  readonly #path: string;
  readonly #limit: number;
  readonly #unfinished: Record<Channel, string> = { stdout: "", stderr: "" };
  #written = 0;
  #leftOut = 0;
  readonly #tails = { all: Buffer.alloc(0), stderr: Buffer.alloc(0) };
  #error: Error | undefined;

  constructor(path: string, header: Readonly<Record<string, unknown>>, limitBytes = LOG_BYTES) {
    mkdirSync(dirname(path), { recursive: true });
    this.#fd = openSync(path, "a", 0o600);
    this.#path = path;
    this.#limit = limitBytes;
    this.#write(`[start] ${JSON.stringify(header)}\n`);
  }

  /** Why the log could not be written, if it could not: a full disk, say. */
  get error(): Error | undefined {
    return this.#error;
  }

  add(channel: Channel, bytes: Buffer): void {
    for (const which of channel === "stderr" ? (["all", "stderr"] as const) : (["all"] as const)) {
      this.#tails[which] = Buffer.concat([this.#tails[which], bytes.subarray(-TAIL_BYTES)]).subarray(-TAIL_BYTES);
    }
    if (this.#written >= this.#limit) {
      this.#leftOut += bytes.length;
      return;
    }
    const lines = (this.#unfinished[channel] + bytes.toString("utf8")).split("\n");
    this.#unfinished[channel] = lines.pop() ?? "";
    if (lines.length > 0) this.#write(lines.map((line) => `[${channel}] ${line}\n`).join(""));
    // A program that never ends its line must not fill our memory.
    if (this.#unfinished[channel].length > this.#limit) this.#flush(channel);
  }

  /** Writes what is left and how the step ended. */
  close(trailer: Readonly<Record<string, unknown>>): void {
    for (const channel of ["stdout", "stderr"] as const) this.#flush(channel);
    if (this.#leftOut > 0) {
      this.#write(`[left out] ${this.#leftOut} bytes; the last lines were:\n`);
      for (const line of this.tail()) this.#write(`[tail] ${line}\n`);
    }
    this.#write(`[exit] ${JSON.stringify(trailer)}\n`);
    closeSync(this.#fd);
  }

  /** The last lines of both channels as they came, or of standard error alone. */
  tail(lines = 20, which: "all" | "stderr" = "all"): string[] {
    const text = this.#tails[which].toString("utf8").replace(/\n$/, "");
    return text === ""
      ? []
      : text
          .split("\n")
          .slice(-lines)
          .map((line) => line.slice(-2000));
  }

  #flush(channel: Channel): void {
    if (this.#unfinished[channel] !== "")
      this.#write(`[${channel}] ${this.#unfinished[channel].slice(0, this.#limit)}\n`);
    this.#unfinished[channel] = "";
  }

  #write(text: string): void {
    if (this.#error !== undefined) return;
    try {
      this.#written += writeSync(this.#fd, text);
    } catch (error) {
      const { code, message } = error as NodeJS.ErrnoException;
      this.#error = Object.assign(new Error(`cannot write ${this.#path}: ${message}`), { code });
    }
  }
}
