import type { PoolJob } from "@coppice/engine/pools";
import { type CrewSettings, carriedJob } from "@coppice/engine/worker";
import { hashOf } from "../place/blobs.ts";
import { LONG_BYTES, PROTOCOL, type RunDescription } from "../protocol.ts";

/** A run as workers on other machines need it, and the bytes it speaks of by their hashes. */
export interface DescribedRun {
  readonly description: RunDescription;
  readonly bytes: ReadonlyMap<string, Buffer>;
}

export function describeRun(job: PoolJob, { chunk, graceMs, memoryMb }: CrewSettings): DescribedRun {
  const bytes = new Map<string, Buffer>();
  const keep = (content: Uint8Array): string => {
    const buffer = Buffer.from(content.buffer, content.byteOffset, content.byteLength);
    const hash = hashOf(buffer);
    bytes.set(hash, buffer);
    return hash;
  };
  const { job: carried, arrays } = carriedJob(job);
  const { context, resources, seed, maxValueBytes, timers, evaluatorUrl } = carried;
  const evaluatorName = job.evaluatorName?.();
  const disk = job.disk?.();
  const description: RunDescription = {
    protocol: PROTOCOL,
    runToken: job.runToken,
    evaluatorUrl,
    ...(evaluatorName !== undefined && { evaluatorName }),
    ...(disk !== undefined && { disk }),
    context: context.length > LONG_BYTES ? { blob: keep(Buffer.from(context)) } : context,
    arrays: Object.fromEntries(
      Object.entries(arrays).map(([name, array]) => [name, { blob: keep(array), bytes: array.byteLength }]),
    ),
    resources,
    seed,
    setupTimeoutMs: job.setupTimeoutMs,
    maxValueBytes,
    timers,
    chunk,
    graceMs,
    ...(memoryMb !== undefined && { memoryMb }),
  };
  return { description, bytes };
}
