import type { PoolTask } from "@coppice/engine/pools";
import { OpenTasks } from "@coppice/engine/worker";

/** A task that is not settled yet. */
export interface TravellingTask {
  readonly id: number;
  readonly task: PoolTask;
  /** The chunk it travels in. */
  job: string | undefined;
  started: boolean;
  aborted: boolean;
  /** Its value has been sent by reference and is being fetched. */
  arriving: boolean;
  losses: number;
  /** Its candidate, where that went by reference. */
  blob: string | undefined;
}

/** Tasks on their way together. */
export interface Chunk {
  readonly id: string;
  readonly entries: readonly TravellingTask[];
  /** Times in a row that Redis did not know it. */
  missing: number;
}

/** Which tasks wait, and which travel in which chunk. */
export class TravellingTasks extends OpenTasks<TravellingTask> {
  readonly chunks = new Map<string, Chunk>();

  submit(task: PoolTask): void {
    const state = { job: undefined, started: false, aborted: false, arriving: false, losses: 0, blob: undefined };
    this.admit({ id: task.id, task, ...state });
  }

  /** Tasks of a chunk that are still its own to settle. */
  unsettled(chunk: string): readonly TravellingTask[] {
    const entries = this.chunks.get(chunk)?.entries ?? [];
    return entries.filter((entry) => this.get(entry.id) === entry);
  }
}
