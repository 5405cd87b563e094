import { readSync } from "node:fs";

/** An event as the agent describes it on standard input. */
export interface EventInput {
  /** What every hook receives, byte for byte. */
  readonly bytes: Uint8Array;
  readonly fields: Readonly<Record<string, unknown>>;
  readonly sessionId: string;
}

/** The event's input is not what an agent sends. */
export class InputProblem extends Error {
  override readonly name = "InputProblem";
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
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1);
    }
  }
}

/** Understands the bytes as an event's input; throws {@link InputProblem}. */
export function readEventInput(bytes: Uint8Array): EventInput {
  let value: unknown;
  try {
    value = JSON.parse(Buffer.from(bytes).toString("utf8"));
  } catch {
    value = undefined;
  }
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    const found = bytes.length === 0 ? "nothing" : "something else";
    throw new InputProblem(
      `standard input must be the event as one JSON object, as {"session_id": "s", "cwd": "/p"}; found ${found}`,
    );
  }
  const fields = value as Readonly<Record<string, unknown>>;
  return { bytes, fields, sessionId: typeof fields.session_id === "string" ? fields.session_id : "unknown" };
}
