import { fileURLToPath } from "node:url";
import { build } from "esbuild";

/** A user's own evaluator with all it imports, as one module: for workers that do not have it installed. */
export async function bundleOf(evaluatorUrl: string): Promise<Buffer> {
  const { outputFiles } = await build({
    entryPoints: [fileURLToPath(evaluatorUrl)],
    bundle: true,
    write: false,
    platform: "node",
    format: "esm",
    target: "node24",
    logLevel: "silent",
    // Packages in CommonJS ask for Node's own modules by a function that modules do not have.
    banner: { js: 'import { createRequire as $r } from "node:module"; const require = $r(import.meta.url);' },
  });
  return Buffer.from(outputFiles[0].contents);
}
