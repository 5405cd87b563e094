import type { PoolFactory } from "../contract/pool.ts";
import type { RunFile } from "../run-directory/run-file.ts";
import { UsageError } from "../usage-error.ts";
import type { CrewOptions } from "./pool-options.ts";

/**
 * A kind of pool, as commands and records know it by name. Whoever wants to know what a pool can do asks its kind, so that
 * a package can add one and nobody has a list. Nothing heavy is loaded before a pool is made.
 */
export interface PoolKind {
  /** What `--pool` takes and `run.json` says. */
  readonly kind: string;
  /** For people, in half a line. */
  readonly description: string;
  /** What one of its workers is, where a tool asks for that: `thread`. */
  readonly worker?: string;
  /** Evaluates one task at a time: several workers cannot be asked for. */
  readonly oneAtATime?: true;
  /** A worker is a place in line for work that waits (networks, models), not a core. */
  readonly forWaiting?: true;
  /** Whether programs that a task has started end with its worker. */
  readonly endsChildren: boolean;
  /** What it must know beside how many workers: an option of every command that has `--pool`, or a variable. */
  readonly settings?: readonly PoolSetting[];
  /** Options that mean nothing to this kind are ignored. */
  readonly make: (options: CrewOptions) => Promise<PoolFactory>;
}

/** Something that a kind of pool reads from its environment, and that can be typed. */
export interface PoolSetting {
  /** As an option: `--redis <url>`. */
  readonly flags: string;
  readonly description: string;
  /** The environment variable it is read from. */
  readonly variable: string;
  /** Throws when the text cannot be meant. */
  readonly check: (text: string) => void;
}

/** The kind of pool a run gets when nobody says otherwise. */
export const DEFAULT_POOL = "threads";

const kinds = new Map<string, PoolKind>();

/** Adds a kind; a package does so in a light module that is loaded before options are parsed. */
export function registerPool(kind: PoolKind): void {
  if (kinds.has(kind.kind)) throw new Error(`there are two pools called ${JSON.stringify(kind.kind)}`);
  kinds.set(kind.kind, kind);
}

/** Every kind, in the order they were added. */
export function poolKinds(): readonly PoolKind[] {
  return [...kinds.values()];
}

/** The kind of that name; `where` says who asked for it and how to choose another. */
export function poolKind(name: string, where = ""): PoolKind {
  const kind = kinds.get(name);
  if (kind !== undefined) return kind;
  throw new UsageError(
    `there is no pool ${JSON.stringify(name)} here (there are ${[...kinds.keys()].join(", ")})${where}`,
  );
}

/** The kind that a recorded run was started on; one that is not there is named, never replaced. `advice` says how to choose another. */
export function recordedPool({ id, pool }: Pick<RunFile, "id" | "pool">, advice: string): PoolKind {
  return poolKind(pool.kind, `, but run ${id} was started on one: ${advice}`);
}

/** Makes a pool of a kind. */
export async function poolOf(kind: string, options: CrewOptions = {}): Promise<PoolFactory> {
  return poolKind(kind).make(options);
}

registerPool({
  kind: "inline",
  description: "one at a time, in this process",
  oneAtATime: true,
  endsChildren: false,
  make: async (options) => (await import("./in-process.ts")).inline(options),
});
registerPool({
  kind: "threads",
  description: "worker threads of this process",
  worker: "thread",
  endsChildren: false,
  make: async (options) => (await import("./threads.ts")).threads(options),
});
registerPool({
  kind: "processes",
  description: "worker processes, each with a group of its own",
  worker: "process",
  endsChildren: true,
  make: async (options) => (await import("./processes.ts")).processes(options),
});
registerPool({
  kind: "concurrent",
  description: "many at once on one thread, for work that waits",
  forWaiting: true,
  endsChildren: false,
  make: async (options) => (await import("./in-process.ts")).concurrent(options),
});
