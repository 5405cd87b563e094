import { encode } from "@coppice/engine";
import { Gateway } from "./gateway.ts";
import type { ModelsFile } from "./models-file.ts";

/** What the evaluator of consultations is told; plain data without keys, written into `run.json`. */
export interface ConsultContext {
  readonly models: ModelsFile;
  /** Where the models come from, for messages. */
  readonly place: string;
  readonly timeoutMs: number;
  readonly retries: number;
  readonly concurrency: number;
  readonly record?: string;
  readonly replay?: string;
}

const open = new Map<string, Gateway>();

/** The gateway of this process for a context: all workers and all runs with the same one share limits and budget. */
export function gatewayFor(context: ConsultContext): Gateway {
  const key = encode(context);
  let gateway = open.get(key);
  if (gateway === undefined) {
    const { models, ...options } = context;
    gateway = new Gateway({ file: models, ...options });
    open.set(key, gateway);
  }
  return gateway;
}

/** Closes a context's gateway; the next use opens another. */
export async function closeGateway(context: ConsultContext): Promise<void> {
  const key = encode(context);
  const gateway = open.get(key);
  open.delete(key);
  await gateway?.close();
}
