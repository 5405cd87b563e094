import { hash } from "node:crypto";
import { type Carried, type ChunkData, LONG_BYTES } from "../protocol.ts";
import type { ClusterRun } from "./cluster-run.ts";
import type { Returns } from "./returns.ts";
import type { Chunk, TravellingTask } from "./travelling-task.ts";

/** Sends tasks out, as many at once as keep every worker busy, and takes back what nobody wants any more. */
export class Dispatch {
  readonly #run: ClusterRun;
  readonly #returns: Returns;
  #toAbort: TravellingTask[] = [];

  constructor(run: ClusterRun, returns: Returns) {
    this.#run = run;
    this.#returns = returns;
  }

  /** Notes it for the next sending: whoever aborts may not be told before that call has returned. */
  abort(id: number): void {
    const entry = this.#run.tasks.abort(id);
    if (entry === undefined) return;
    this.#toAbort.push(entry);
    this.#run.sendSoon();
  }

  send(): void {
    this.#abortThose(this.#toAbort.splice(0));
    const { tasks, seats, chunkSize, ending } = this.#run;
    const { waiting, chunks } = tasks;
    const sent: Chunk[] = [];
    while (waiting.length > 0 && !ending.begun) {
      const working = seats.ready;
      const places = working * chunkSize.inHand() - chunks.size;
      if (places <= 0) break;
      const idle = Math.max(0, working - chunks.size);
      const entries = waiting.take(chunkSize.next(waiting.length, { places, working, idle }));
      const chunk: Chunk = { id: this.#chunkId(entries), entries, missing: 0 };
      for (const entry of entries) entry.job = chunk.id;
      chunks.set(chunk.id, chunk);
      sent.push(chunk);
    }
    if (sent.length > 0) void ending.attempt(this.#put(sent));
  }

  /** The same tasks in the same attempt are the same job: it cannot be queued twice. */
  #chunkId(entries: readonly TravellingTask[]): string {
    const parts = entries.map(({ id, task: { key, attempt } }) => [id, key, attempt]);
    return `c${hash("sha256", JSON.stringify([this.#run.line.run, parts]), "hex").slice(0, 40)}`;
  }

  async #put(chunks: readonly Chunk[]): Promise<void> {
    const jobs: { id: string; data: ChunkData }[] = [];
    for (const { id, entries } of chunks) {
      const tasks: ChunkData["tasks"][number][] = [];
      for (const entry of entries) {
        const { key, attempt, timeoutMs } = entry.task;
        tasks.push([entry.id, key, attempt, timeoutMs, await this.#carried(entry)]);
      }
      jobs.push({ id, data: { tasks } });
    }
    await this.#run.line.add(jobs);
  }

  async #carried(entry: TravellingTask): Promise<Carried> {
    const { candidate } = entry.task;
    if (candidate.length <= LONG_BYTES) return candidate;
    entry.blob = await this.#run.line.put(Buffer.from(JSON.stringify(candidate)));
    return { blob: entry.blob };
  }

  #abortThose(aborted: readonly TravellingTask[]): void {
    const byChunk = new Map<string, TravellingTask[]>();
    for (const entry of aborted) {
      if (!this.#run.tasks.has(entry.id)) continue;
      if (entry.job === undefined) this.#returns.gone(entry);
      else byChunk.set(entry.job, [...(byChunk.get(entry.job) ?? []), entry]);
    }
    for (const [job, entries] of byChunk) void this.#run.ending.attempt(this.#abortIn(job, entries));
  }

  /** A chunk that waits is taken back; a worker that has it is told. */
  async #abortIn(job: string, entries: readonly TravellingTask[]): Promise<void> {
    const { line, tasks } = this.#run;
    const untouched = tasks.chunks.get(job)?.entries.every(({ started }) => !started) === true;
    if (untouched && (await line.takeBack(job))) this.#returns.handedIn(job);
    else await line.order(["abort", entries.map(({ id }) => id)]);
  }
}
