import { inspect, types } from "node:util";
import { failureType } from "../contract/outcome.ts";
import { cutMiddle, cutText, LONGEST_LINE, LONGEST_TEXT } from "./cut-text.ts";
import type { FailureText } from "./worker-message.ts";

const MAX_CAUSES = 10;
/** What these say of a task is for the pool to say: they mark a run as shaped by its machine. */
const reserved: readonly string[] = [failureType.timeout, failureType.workerLost];

/**
 * Whatever an evaluator threw, as text: an error by its name and message, anything else as type `Thrown`. The same in
 * every pool, because the search and the digest see `type` and `message`. Cut before it is sent: whatever is thrown, a
 * failure is small.
 */
export function describeFailure(thrown: unknown): FailureText {
  if (!isError(thrown)) return { type: "Thrown", message: cutText(shown(thrown)) };
  const name = cutText(read(thrown, "name"), LONGEST_LINE) || "Error";
  const own = !reserved.includes(name);
  const type = own ? name : "Error";
  const message = own ? read(thrown, "message") : `${name}: ${read(thrown, "message")}`;
  const stack = read(thrown, "stack");
  const causes = causesOf(thrown);
  const data = dataOf(thrown);
  return {
    type,
    message: cutText(message),
    ...(stack && { stack: cutMiddle(stack) }),
    ...(causes.length > 0 && { causes }),
    ...(data !== undefined && { data }),
  };
}

/** What an evaluator attached to its error for people to read; of too much only how much is kept, and nothing of what JSON cannot hold. */
function dataOf(error: Error): unknown {
  try {
    const text = JSON.stringify((error as { readonly data?: unknown }).data);
    if (text === undefined) return undefined;
    return text.length > LONGEST_TEXT ? { cutBytes: Buffer.byteLength(text) } : JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isError(value: unknown): value is Error {
  return types.isNativeError(value) || value instanceof Error;
}

/** Values inside a thrown non-error could be anything; one line, bounded, without addresses or timings. */
function shown(value: unknown): string {
  if (typeof value === "string") return value;
  try {
    return inspect(value, { depth: 2, breakLength: Number.POSITIVE_INFINITY, maxStringLength: 1000 });
  } catch {
    return `a value of type ${typeof value}`;
  }
}

/** A field that may be overwritten with a non-string or with a getter that throws. */
function read(error: Error, field: "name" | "message" | "stack"): string {
  try {
    const value: unknown = error[field];
    return value === undefined ? "" : String(value);
  } catch {
    return "";
  }
}

function causesOf(error: Error): string[] {
  const causes: string[] = [];
  let current: unknown = error;
  while (isError(current) && current.cause !== undefined && causes.length < MAX_CAUSES) {
    current = current.cause;
    const cause = isError(current) ? `${read(current, "name")}: ${read(current, "message")}` : shown(current);
    causes.push(cutText(cause, LONGEST_LINE));
  }
  return causes;
}
