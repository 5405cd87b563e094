import { readFileSync } from "node:fs";
import { refuseReservedKeys, unreadable, writeDurably, wrongSyntax } from "@coppice/engine/files";
import { UsageError } from "@coppice/engine/usage-error";
import { JsonProblem, readJsonText } from "@coppice/engine/user-files";
import { parse } from "yaml";

/** A file that a user named, as it is. */
export function readText(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    throw new UsageError(`${path} cannot be read: ${unreadable(error)}`);
  }
}

/** JSON as people write it: comments, a comma after the last value and a byte order mark are no trouble. */
export function parseJson(path: string, text: string): unknown {
  let content: unknown;
  try {
    content = JSON.parse(text);
  } catch {
    content = parsedLeniently(path, text);
  }
  refuseReservedKeys(content, text, path);
  return content;
}

function parsedLeniently(path: string, text: string): unknown {
  try {
    return readJsonText(text).value;
  } catch (error) {
    if (!(error instanceof JsonProblem)) throw error;
    throw new UsageError(`${path} is not JSON: line ${error.line}: ${error.message}`);
  }
}

/** JSON or, by the file's name, YAML. */
export function parseData(path: string, text: string): unknown {
  if (!/\.ya?ml$/i.test(path)) return parseJson(path, text);
  let content: unknown;
  try {
    content = parse(text);
  } catch (error) {
    // Also of another kind: an alias of nothing, or aliases of aliases without end.
    throw new UsageError(`${path} is not valid YAML: ${wrongSyntax(error as Error)}`);
  }
  refuseReservedKeys(content, text, path);
  return content;
}

export function readJson(path: string): unknown {
  return parseJson(path, readText(path));
}

export function writeJson(path: string, value: unknown): void {
  writeDurably(path, `${JSON.stringify(value, null, 2)}\n`);
}
