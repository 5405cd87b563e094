import { availableCores, nestedShare } from "../cores/core-budget.ts";
import type { CrewSettings } from "../worker/worker-link.ts";

/** What every pool of several workers can be told. */
export interface CrewOptions {
  /**
   * How many workers; `"auto"` is the cores available to this process (container limits included). Inside a worker of
   * another pool it is that worker's share of the cores, and never more, unless `oversubscribe` says so.
   */
  readonly workers?: number | "auto";
  /** Takes `workers` at its word also inside a worker of another pool, whatever the cores. */
  readonly oversubscribe?: boolean;
  /** Tasks per message; `"auto"` measures the tasks and sends about {@link CHUNK_TARGET_MS} of work, at most 16 tasks. */
  readonly chunk?: number | "auto";
  /** The most unsettled tasks the owner may have here; by default 128 per worker, or 4 chunks per worker if that is more. */
  readonly maxInFlight?: number;
  /** Whether tasks below a tenth of a second are handed to a worker before it has finished its last ones. Default true. */
  readonly ahead?: boolean;
  /** How long an aborted or timed-out task may take to end by itself before its worker is ended. */
  readonly graceMs?: number;
  /** Heap limit of each worker, in megabytes; by default the runtime's own. */
  readonly memoryMb?: number;
}

const MAX_WORKERS = 1024;
export const MAX_AUTO_CHUNK = 16;
/** Work per message that makes the message's own cost (some 20 µs) small, yet keeps results and aborts coming. */
export const CHUNK_TARGET_MS = 8;

const IN_FLIGHT_PER_WORKER = 128;
const CHUNKS_IN_FLIGHT_PER_WORKER = 4;

/** Checks a pool's options; a wrong one is named, with what would be right. */
export function crewSettings(options: CrewOptions): CrewSettings {
  const workers = integerOrAuto("workers", options.workers === undefined ? "auto" : options.workers, 1, MAX_WORKERS);
  const chunk = integerOrAuto("chunk", options.chunk ?? "auto", 1, 1024);
  const most = options.oversubscribe === true ? MAX_WORKERS : Math.min(nestedShare() ?? MAX_WORKERS, MAX_WORKERS);
  const count = Math.min(workers === "auto" ? availableCores() : workers, most);
  const perWorker =
    chunk === "auto" ? IN_FLIGHT_PER_WORKER : Math.max(IN_FLIGHT_PER_WORKER, CHUNKS_IN_FLIGHT_PER_WORKER * chunk);
  return {
    workers: count,
    chunk,
    maxInFlight: integer("maxInFlight", options.maxInFlight ?? count * perWorker, 1, 1_000_000),
    graceMs: integer("graceMs", options.graceMs ?? 50, 0, 60_000),
    memoryMb: options.memoryMb === undefined ? undefined : integer("memoryMb", options.memoryMb, 8, 1_048_576),
    ahead: options.ahead ?? true,
  };
}

function integerOrAuto(name: string, value: unknown, least: number, most: number): number | "auto" {
  return value === "auto" ? value : integer(name, value, least, most, ' or "auto"');
}

function integer(name: string, value: unknown, least: number, most: number, orElse = ""): number {
  const wanted = `a whole number from ${least} to ${most}${orElse}`;
  if (typeof value !== "number") throw new TypeError(`${name} is ${display(value)}; it must be ${wanted}`);
  if (!Number.isInteger(value) || value < least || value > most) {
    throw new RangeError(`${name} is ${value}; it must be ${wanted}`);
  }
  return value;
}

function display(value: unknown): string {
  return typeof value === "string" ? JSON.stringify(value) : String(value);
}
