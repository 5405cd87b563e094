import { hash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { UsageError } from "../usage-error.ts";

/** The evaluator's module as a `file:` URL; it must exist. */
export function moduleUrl(evaluator: URL | string): string {
  const url =
    evaluator instanceof URL
      ? evaluator.href
      : evaluator.startsWith("file:")
        ? evaluator
        : pathToFileURL(resolve(evaluator)).href;
  const path = fileURLToPath(url);
  if (!existsSync(path)) throw new UsageError(`there is no evaluator module at ${path}`);
  return url;
}

/** Tells whether the module itself has changed; what it imports is not looked at. */
export function fileHash(url: string): string {
  return hash("sha256", readFileSync(fileURLToPath(url)), "hex").slice(0, 16);
}
