import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
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
    'import { square } from "./power.ts";\nexport default { evaluate: (_: unknown, x: number) => square(x) };\n',
  );
  const remove = () => rmSync(folder, { recursive: true, force: true });
  return { url: pathToFileURL(join(folder, "squares.ts")), remove };
}
