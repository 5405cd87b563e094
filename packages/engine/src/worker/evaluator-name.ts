import { hash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { createRequire, findPackageJSON } from "node:module";
import { dirname, join, relative, resolve, sep } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import type { EvaluatorName } from "../contract/pool.ts";
import { EvaluatorUnusable } from "./load-evaluator.ts";

interface Package {
  readonly root: string;
  readonly name: string;
  readonly exports: unknown;
}

/** What an evaluator is called where its `file:` URL means nothing. */
export function evaluatorName(url: string): EvaluatorName {
  const file = fileURLToPath(url);
  const hashed = contentHash(file);
  const home = packageAround(file);
  if (home === undefined) return { path: relative(process.cwd(), file).split(sep).join("/"), hash: hashed };
  const path = relative(home.root, file).split(sep).join("/");
  const exported = Object.entries(subpaths(home.exports)).find(([, target]) => leadsTo(target, path));
  return { package: home.name, ...(exported === undefined ? {} : { export: exported[0] }), path, hash: hashed };
}

/**
 * URL of the evaluator with that name on this machine, found from `base` (a file or directory URL) as an import there
 * would find it. One with other content is refused: its values would not be those the run wants.
 */
export function findEvaluator(name: EvaluatorName, base: URL | string): string {
  const place = [name.package, name.export ?? name.path].filter((part) => part !== undefined).join(" ");
  let file: string;
  try {
    file = fileOf(name, base);
  } catch (error) {
    throw new EvaluatorUnusable(
      `evaluator ${place} is not on this machine: ${error instanceof Error ? error.message : error}`,
    );
  }
  if (!existsSync(file)) throw new EvaluatorUnusable(`evaluator ${place} is not on this machine: there is no ${file}`);
  const found = contentHash(file);
  if (found === name.hash) return pathToFileURL(file).href;
  throw new EvaluatorUnusable(
    `evaluator ${place} is different on this machine: ${file} has hash ${found.slice(0, 16)}, not ${name.hash.slice(0, 16)}`,
  );
}

function fileOf(name: EvaluatorName, base: URL | string): string {
  const from = fileURLToPath(base);
  if (name.package === undefined) return resolve(from.endsWith(sep) ? from : dirname(from), name.path);
  // A module of the very package that looks for it need not be installed.
  const own = packageAround(from);
  if (own?.name === name.package) return join(own.root, name.path);
  if (name.export !== undefined) return createRequire(base).resolve(join(name.package, name.export));
  const found = findPackageJSON(name.package, base);
  if (found === undefined) throw new Error(`there is no package ${name.package}`);
  return join(dirname(found), name.path);
}

/** SHA-256 of a file, in hex. */
function contentHash(file: string): string {
  return hash("sha256", readFileSync(file), "hex");
}

/** The nearest package with a name that the file is in. */
function packageAround(file: string): Package | undefined {
  for (let root = dirname(file); ; root = dirname(root)) {
    const path = join(root, "package.json");
    if (existsSync(path)) {
      const { name, exports = {} } = JSON.parse(readFileSync(path, "utf8")) as Partial<Package>;
      if (name !== undefined) return { root, name, exports };
    }
    if (root === dirname(root)) return undefined;
  }
}

/** Subpaths and their targets; `exports` may also be the target of the package itself. */
function subpaths(exports: unknown): object {
  const several =
    typeof exports === "object" && exports !== null && Object.keys(exports).every((key) => /^\./.test(key));
  return several ? exports : { ".": exports };
}

/** Whether a target, under whatever condition, is that file of the package. */
function leadsTo(target: unknown, path: string): boolean {
  if (typeof target === "string") return target === `./${path}`;
  return typeof target === "object" && target !== null && Object.values(target).some((inner) => leadsTo(inner, path));
}
