import { UsageError } from "@coppice/engine/usage-error";
import type { z } from "zod";

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
  const checked = schema.safeParse(raw);
  if (checked.success) return checked.data;
  const [issue] = checked.error.issues;
  const where = issue.path.map((part) => String(part).replace(ORDER_MARK, "")).join(".");
  throw new UsageError(`${source}: ${where === "" ? "" : `${where}: `}${issue.message}`);
}

/** Marks number-like keys of JSON text, so that parsed objects keep the order of the file. */
export function markNumericKeys(text: string): string {
  return text.replace(/"(\d+)"(\s*:)/g, `"${ORDER_MARK}$1"$2`);
}

/** Takes the mark off again. */
export function unmarkKey(key: string): string {
  return key.startsWith(ORDER_MARK) ? key.slice(1) : key;
}
