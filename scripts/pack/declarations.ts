import { globSync, readFileSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";

const IMPORT = /(\bfrom |\bimport\(|\bimport )"(\.[^"]*)\.ts"/g;

const COMMENT = /\/\*[\s\S]*?\*\//g;

const REFERENCE = /"(\.[^"]*)\.js"/g;

/** tsc leaves imports of declarations as they are in the sources; this is the module they describe, in texts of the same length. */
export function builtImports(declarations: string): string {
  return declarations.replace(IMPORT, '$1"$2.js"');
}

/** Removes the declarations that no entry leads to: nobody could import what they describe. */
export function dropUnreachableDeclarations(place: string, exports: Readonly<Record<string, unknown>>): void {
  const entries = Object.values(exports as Readonly<Record<string, { readonly types: string }>>);
  const reached = new Set<string>();
  const waiting = entries.map(({ types }) => join(place, types));
  for (let file = waiting.pop(); file !== undefined; file = waiting.pop()) {
    if (reached.has(file)) continue;
    reached.add(file);
    // Examples in comments import files of their own.
    for (const [, path] of readFileSync(file, "utf8").replace(COMMENT, "").matchAll(REFERENCE))
      waiting.push(join(dirname(file), `${path}.d.ts`));
  }
  for (const found of globSync("dist/**/*.d.ts", { cwd: place })) {
    const file = join(place, found);
    if (reached.has(file)) continue;
    rmSync(file);
    rmSync(`${file}.map`);
  }
}
