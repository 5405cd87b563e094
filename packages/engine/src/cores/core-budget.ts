import { availableParallelism } from "node:os";

/** How many workers a user asks for: a number, or as many as the budget has cores. */
export type WorkerRequest = "auto" | number;

/** What a request was given; `notice` says why it is less than was asked for. */
export interface WorkerGrant {
  readonly workers: number;
  readonly notice: string | undefined;
}

/** Outer workers, and for each of them the cores it may use for its own inner pool. */
export interface BudgetSplit extends WorkerGrant {
  readonly inner: readonly CoreBudget[];
}

/**
 * The cores that one pool may use, divided between nested pools so that they never add up to more than there are.
 *
 * An outer worker that has an inner pool waits for it, so only the innermost workers count: eight cores are four
 * trees with two workers each, or two with four, but not four with eight. A budget is for one pool; to run several
 * side by side, `split` it first.
 */
export class CoreBudget {
  readonly cores: number;
  /** The user said so: requests are granted in full, whatever the cores. */
  readonly oversubscribe: boolean;

  constructor(options: { readonly cores?: WorkerRequest; readonly oversubscribe?: boolean } = {}) {
    const cores = checked(options.cores ?? "auto", "cores");
    this.cores = cores === "auto" ? availableCores() : cores;
    this.oversubscribe = options.oversubscribe ?? false;
  }

  /** Workers for a pool that uses this whole budget; never more than there are `items`, if that is known. */
  grant(request: WorkerRequest, items = Number.POSITIVE_INFINITY): WorkerGrant {
    const asked = checked(request, "workers");
    const useful = Math.max(1, Math.min(asked === "auto" ? this.cores : asked, items));
    if (this.oversubscribe || useful <= this.cores) return { workers: useful, notice: undefined };
    const cores = this.cores === 1 ? "1 core is" : `${this.cores} cores are`;
    return {
      workers: this.cores,
      notice: `asked for ${useful} workers, using ${this.cores}: ${cores} free here`,
    };
  }

  /** Divides the cores between outer workers; the first ones get the cores that do not divide evenly. */
  split(request: WorkerRequest, items = Number.POSITIVE_INFINITY): BudgetSplit {
    const grant = this.grant(request, items);
    const each = Math.floor(this.cores / grant.workers);
    const left = this.cores % grant.workers;
    const inner = Array.from(
      { length: grant.workers },
      (_, i) => new CoreBudget({ cores: Math.max(1, each + (i < left ? 1 : 0)), oversubscribe: this.oversubscribe }),
    );
    return { ...grant, inner };
  }
}

/** Environment variable by which a pool tells its workers how many of the cores are theirs, for pools of their own. */
export const CORE_SHARE = "COPPICE_CORE_SHARE";

/**
 * Cores this process or worker may use: its share of the pool it works in, or Node's own count, which heeds CPU affinity
 * and (on Linux) the cgroup's CPU quota.
 */
export function availableCores(): number {
  return nestedShare() ?? Math.max(1, availableParallelism());
}

/** What is left for each of a pool's workers when they start pools of their own. */
export function shareOfEach(workers: number): string {
  return String(Math.max(1, Math.floor(availableCores() / workers)));
}

/** The share of a worker inside a pool; undefined outside of one. */
export function nestedShare(): number | undefined {
  const share = Number(process.env[CORE_SHARE]);
  return Number.isSafeInteger(share) && share >= 1 ? share : undefined;
}

/** Calls that wait for others (networks, language models, child processes) need no core each, but not endless company. */
export const WAITING_LIMIT = 50;

function checked(request: WorkerRequest, what: string): WorkerRequest {
  if (request === "auto" || (Number.isSafeInteger(request) && request >= 1)) return request;
  throw new RangeError(`${what} is "auto" or a whole number of at least 1, not ${String(request)}`);
}
