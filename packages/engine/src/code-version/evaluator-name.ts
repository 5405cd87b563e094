import { existsSync } from "node:fs";
import { createRequire, findPackageJSON } from "node:module";
import { dirname, join, relative, resolve, sep } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import type { EvaluatorName } from "../contract/pool.ts";
import { EvaluatorUnusable } from "../worker/load-evaluator.ts";
import { codeVersion } from "./code-version.ts";
import { type Package, packageAround, subpaths, targets } from "./package-around.ts";

/** What an evaluator is called where its `file:` URL means nothing. */
export function evaluatorName(url: string): EvaluatorName {
  const file = fileURLToPath(url);
  const { hash } = codeVersion(file);
  const home = packageAround(file);
  if (home === undefined) return { path: relative(process.cwd(), file).split(sep).join("/"), hash };
  const path = pathIn(home, file);
  const exported = Object.entries(subpaths(home.exports ?? {})).find(([, target]) =>
    targets(target).includes(`./${path}`),
  );
  return { package: home.name, ...(exported === undefined ? {} : { export: exported[0] }), path, hash };
}

/**
 * URL of the evaluator with that name on this machine, found from `base` (a file or directory URL) as an import there
 * would find it. One that is different code, in its own file or in what it loads, is
 * refused: its values would not be those the run wants.
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
  // A stranger may have made the name up: where it leads must be where it says.
  const home = packageAround(file);
  if (name.package !== undefined && (home?.name !== name.package || pathIn(home, file) !== name.path)) {
    throw new EvaluatorUnusable(`evaluator ${place} is not what its name says: ${name.path} of ${name.package}`);
  }
  if (!existsSync(file)) throw new EvaluatorUnusable(`evaluator ${place} is not on this machine: there is no ${file}`);
  const found = codeVersion(file).hash;
  if (found === name.hash) return pathToFileURL(file).href;
  throw new EvaluatorUnusable(
    `evaluator ${place} is different code on this machine: ${file} and what it loads have hash ${found.slice(0, 16)}, not ${name.hash.slice(0, 16)}`,
  );
}

function pathIn({ root }: Package, file: string): string {
  return relative(root, file).split(sep).join("/");
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
