import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { misspeltField, refuseReservedKeys, unreadable, wrongField } from "@coppice/engine/files";
import { UsageError } from "@coppice/engine/usage-error";
import { z } from "zod";

/** A text file and what to call it in messages. */
export interface InputText {
  readonly source: string;
  readonly text: string;
}

/** Reads the text file an option names; `.gz` is unpacked. */
export function readInput(option: string, path: string): InputText {
  return { source: path, text: readInputBytes(option, path, path.endsWith(".gz")).toString("utf8") };
}

/** Reads the file an option names. */
export function readInputBytes(option: string, path: string, packed = false): Buffer {
  try {
    const bytes = readFileSync(path);
    return packed ? gunzipSync(bytes) : bytes;
  } catch (error) {
    throw new UsageError(`${option} ${path}: cannot be read (${unreadable(error)})`);
  }
}

/** Put before keys that look like whole numbers, which objects would otherwise sort to the front. */
const ORDER_MARK = "\uE000";

/** Parses JSON text of an input file; a mistake is one line that names the file and the field. */
export function readJson<Shape>(text: string, source: string, schema: z.ZodType<Shape>): Shape {
  let raw: unknown;
  try {
    raw = JSON.parse(text);
  } catch (error) {
    const reason = error instanceof Error ? error.message.split("\n")[0] : String(error);
    throw new UsageError(`${source}: not JSON (${reason})`);
  }
  refuseReservedKeys(raw, text, source);
  const checked = schema.safeParse(raw);
  if (checked.success) return checked.data;
  const { issues } = checked.error;
  throw new UsageError(
    `${source}: ${(misspeltField(issues, raw, schema) ?? wrongField(issues)).replaceAll(ORDER_MARK, "")}`,
  );
}

/** A name that is printed in tables and messages of one line. */
export const oneLine = z
  .string()
  .min(1, "it is empty")
  .refine((text) => !/\p{Cc}/u.test(text), "a name must not have line breaks or other control characters");

/** Marks number-like keys of JSON text, so that parsed objects keep the order of the file. */
export function markNumericKeys(text: string): string {
  return text.replace(/"(\d+)"(\s*:)/g, `"${ORDER_MARK}$1"$2`);
}

/** Takes the mark off again. */
export function unmarkKey(key: string): string {
  return key.startsWith(ORDER_MARK) ? key.slice(1) : key;
}

/** Milliseconds since the epoch of an ISO time, UTC unless it carries an offset; NaN if it is not one, or no such date exists. */
export function utcMilliseconds(time: string): number {
  const shape = /^(\d{4})-(\d\d)-(\d\d)[T ]\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:?\d\d)?$/i.exec(time);
  if (shape === null) return Number.NaN;
  const [, year, month, day] = shape.map(Number);
  // Parsing takes 30 February for 1 March.
  if (day > new Date(Date.UTC(year, month, 0)).getUTCDate()) return Number.NaN;
  return Date.parse(`${time.replace(" ", "T")}${shape[6] === undefined ? "Z" : ""}`);
}

/** Start of the date (a multiple of `dayLength`) on which most times fall; the earlier one on a tie, 0 without times. */
export function busiestDate(times: readonly number[], dayLength: number): number {
  const perDay = new Map<number, number>();
  for (const time of times) {
    const day = Math.floor(time / dayLength) * dayLength;
    perDay.set(day, (perDay.get(day) ?? 0) + 1);
  }
  const [busiest] = [...perDay].sort(([dayA, a], [dayB, b]) => b - a || dayA - dayB);
  return busiest === undefined ? 0 : busiest[0];
}
