import { UsageError } from "@coppice/engine/usage-error";
import type { JsonSchema } from "../models/consultation.ts";
import { givenText } from "../models/given-file.ts";
import { jsonValuesIn } from "../replies/json-in-text.ts";
import { checkOf } from "./json-schema.ts";

/** The schema that `--schema` gives: a file, or the schema itself. */
export function readSchema(given: string): JsonSchema {
  const inline = given.trimStart().startsWith("{");
  const place = inline ? "--schema" : `--schema ${given}`;
  const schema = parsed(inline ? given : givenText(given, place), place);
  if (typeof schema !== "object" || schema === null || Array.isArray(schema)) {
    throw new UsageError(`${place}: a JSON Schema is an object, such as {"type": "object", "properties": {…}}`);
  }
  try {
    checkOf(schema as JsonSchema);
  } catch (error) {
    const why = error instanceof RangeError ? "it refers to itself without end" : (error as Error).message;
    throw new UsageError(`${place}: it is not a JSON Schema that can be checked: ${why.split("\n")[0]}`);
  }
  return schema as JsonSchema;
}

/** The value that an answer holds, checked; or what is wrong with it, in one line. */
export function shapedAnswer(
  content: string,
  schema: JsonSchema,
): { readonly value: unknown } | { readonly wrong: string } {
  const [value] = whole(content) ?? jsonValuesIn(content);
  if (value === undefined) return { wrong: "there is no JSON in it" };
  const wrong = checkOf(schema)(value);
  return wrong === undefined ? { value } : { wrong };
}

/** What a model is told about the form of its answer; providers that know schemas are sent it besides. */
export function schemaForm(schema: JsonSchema): string {
  return `Reply with JSON alone, valid against this JSON Schema:\n${JSON.stringify(schema)}`;
}

/** An answer may be a bare number or text, which prose would be full of. */
function whole(content: string): [unknown] | undefined {
  try {
    return [JSON.parse(content)];
  } catch {
    return undefined;
  }
}

function parsed(text: string, place: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new UsageError(`${place}: not JSON: ${error instanceof Error ? error.message : error}`);
  }
}
