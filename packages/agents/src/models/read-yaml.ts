import { refuseReservedKeys, wrongField, wrongSyntax } from "@coppice/engine/files";
import { UsageError } from "@coppice/engine/usage-error";
import { parse } from "yaml";
import type { z } from "zod";

/** Reads YAML that a user wrote; says in one line what is wrong and where. Messages call all of it `whole`. */
export function readYaml<Content>(text: string, schema: z.ZodType<Content>, place: string, whole: string): Content {
  let content: unknown;
  try {
    content = parse(text);
  } catch (error) {
    // Also of another kind: an alias of nothing, or aliases of aliases without end.
    throw new UsageError(`${place}: ${wrongSyntax(error as Error)}`);
  }
  refuseReservedKeys(content, text, place);
  const checked = schema.safeParse(content);
  if (checked.success) return checked.data;
  throw new UsageError(`${place}: ${wrongField(checked.error.issues, whole)}`);
}
