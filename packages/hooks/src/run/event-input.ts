import { readSync } from "node:fs";
import { UsageError } from "@coppice/engine/usage-error";
import { type Fields, fieldsOf } from "../json-fields.ts";

/** An event as the agent describes it on standard input. */
export interface EventInput {
  /** What every hook receives, byte for byte. */
  readonly bytes: Uint8Array;
  readonly fields: Fields;
  readonly sessionId: string;
}

/** Reads all of a descriptor; synchronous, because nothing can start before it. */
export function readAll(descriptor: number): Uint8Array {
  const chunks: Uint8Array[] = [];
  for (;;) {
    const chunk = Buffer.allocUnsafe(64 * 1024);
    try {
      const count = readSync(descriptor, chunk, 0, chunk.length, null);
      if (count === 0) return Buffer.concat(chunks);
      chunks.push(chunk.subarray(0, count));
    } catch (error) {
      const code = (error as NodeJS.ErrnoException).code;
      if (code === "EOF") return Buffer.concat(chunks);
      if (code !== "EAGAIN") throw error;
      pause();
    }
  }
}

/** A millisecond, for descriptors that others have made non-blocking. */
export function pause(): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1);
}

/** Understands the bytes as an event's input; throws {@link UsageError} that names where they are from. */
export function readEventInput(bytes: Uint8Array, from = "standard input"): EventInput {
  let found = bytes.length === 0 ? "nothing" : "text that is not JSON";
  let fields: Fields | undefined;
  try {
    fields = fieldsOf(JSON.parse(Buffer.from(bytes).toString("utf8")));
    found = "JSON that is not an object";
  } catch {}
  if (fields === undefined) {
    throw new UsageError(
      `${from} must be the event as one JSON object, such as {"session_id": "s", "cwd": "/p"}; found ${found}`,
    );
  }
  return { bytes, fields, sessionId: typeof fields.session_id === "string" ? fields.session_id : "unknown" };
}
