import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { findPackageJSON } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";

/** An evaluator of a user's own, in a folder that no worker has, with something that it imports; at least so many bytes. */
export function userEvaluator(bytes = 0): { readonly url: URL; readonly remove: () => void } {
  const folder = mkdtempSync(join(tmpdir(), "coppice-user-"));
  writeFileSync(join(folder, "package.json"), '{ "name": "somebodys-own", "type": "module" }');
  writeFileSync(
    join(folder, "power.ts"),
    `export const square = (x: number): number => x * x + "${"y".repeat(bytes)}".length - ${bytes};\n`,
  );
  writeFileSync(
    join(folder, "squares.ts"),
    `import { defineEvaluator } from "@coppice/engine/evaluator";
import { square } from "./power.ts";
export default defineEvaluator({ evaluate: (_state, x: number) => square(x) });
`,
  );
  mkdirSync(join(folder, "node_modules", "@coppice"), { recursive: true });
  const engine = dirname(findPackageJSON("@coppice/engine", import.meta.url) ?? "");
  symlinkSync(engine, join(folder, "node_modules", "@coppice", "engine"));
  const remove = () => rmSync(folder, { recursive: true, force: true });
  return { url: pathToFileURL(join(folder, "squares.ts")), remove };
}
