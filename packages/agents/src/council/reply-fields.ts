import type { LabelledReply } from "../replies/labelled-reply.ts";
import type { StructuredReply } from "../replies/structured-reply.ts";

/** A JSON object's fields as the text their labels would have had: one reader for both forms. */
export function fieldsOf(reply: StructuredReply): LabelledReply {
  const fields: Record<string, string> = {};
  for (const [key, value] of Object.entries(reply)) {
    const text = fieldText(value);
    if (text !== "") fields[key.replace(/([a-z])([A-Z])/g, "$1_$2").toUpperCase()] = text;
  }
  return fields;
}

function fieldText(value: unknown): string {
  if (value === null || value === undefined) return "";
  if (Array.isArray(value)) return value.map((item) => `- ${fieldText(item)}`).join("\n");
  if (typeof value !== "object") return String(value);
  return Object.values(value).map(fieldText).join(" - ");
}
