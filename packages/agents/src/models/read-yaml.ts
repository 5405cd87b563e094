import { UsageError } from "@coppice/engine";
import { refuseReservedKeys } from "@coppice/engine/files";
import { parse, YAMLParseError } from "yaml";
import type { z } from "zod";

/** Reads YAML that a user wrote; says in one line what is wrong and where. Messages call all of it `whole`. */
export function readYaml<Content>(text: string, schema: z.ZodType<Content>, place: string, whole: string): Content {
  let content: unknown;
  try {
    content = parse(text);
  } catch (error) {
    if (!(error instanceof YAMLParseError)) throw error;
    throw new UsageError(`${place}: ${error.message.split("\n")[0].replace(/:$/, "")}`);
  }
  refuseReservedKeys(content, text, place);
  const checked = schema.safeParse(content);
  if (checked.success) return checked.data;
  const { path, message } = deepest(checked.error.issues);
  throw new UsageError(`${place}: ${path.length === 0 ? whole : path.join(".")}: ${message}`);
}

interface Issue {
  readonly path: readonly PropertyKey[];
  readonly message: string;
}

/** The most telling of several complaints: of a union, the one of the branch that got furthest. */
function deepest(issues: readonly object[], before: readonly PropertyKey[] = []): Issue {
  const found = issues.map((given): Issue => {
    const issue = given as Issue & { readonly code: string; readonly errors?: readonly (readonly object[])[] };
    const path = [...before, ...issue.path];
    if (issue.code !== "invalid_union" || issue.errors === undefined) return { path, message: issue.message };
    const fewest = [...issue.errors].sort((a, b) => a.length - b.length)[0] ?? [];
    return fewest.length === 0 ? { path, message: issue.message } : deepest(fewest, path);
  });
  return found[0];
}
