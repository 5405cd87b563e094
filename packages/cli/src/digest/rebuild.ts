import type { ConsultContext } from "@coppice/agents/models";
import { decode, type PreparedRun, type RunFile } from "@coppice/engine";
import { type DigestRecord, planDigest, readSources } from "./plan-digest.ts";

/** Prepares a recorded digest again, on the files as they are now: other contents are refused. */
export async function rebuildDigest({ options, context }: RunFile): Promise<PreparedRun> {
  // Casts: both were written by `digest`.
  const record = options as DigestRecord;
  const sources = await readSources(record.paths, record.maxBytes);
  return planDigest(record, sources, decode(context) as ConsultContext) as PreparedRun;
}
