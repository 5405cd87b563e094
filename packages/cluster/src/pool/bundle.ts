import { fileURLToPath } from "node:url";
import { UsageError } from "@coppice/engine/usage-error";
import { type BuildFailure, build } from "esbuild";

/** A user's own evaluator with all it imports, as one module: for workers that do not have it installed. */
export async function bundleOf(evaluatorUrl: string): Promise<Buffer> {
  const path = fileURLToPath(evaluatorUrl);
  const { outputFiles } = await build({
    entryPoints: [path],
    bundle: true,
    write: false,
    platform: "node",
    format: "esm",
    target: "node24",
    logLevel: "silent",
    // Packages in CommonJS ask for Node's own modules by a function that modules do not have.
    banner: { js: 'import { createRequire as $r } from "node:module"; const require = $r(import.meta.url);' },
  }).catch((error: BuildFailure) => {
    throw new UsageError(`evaluator ${path} cannot be loaded: ${firstError(error)}`);
  });
  return Buffer.from(outputFiles[0].contents);
}

/** The first thing wrong with it, and where. */
function firstError({ errors, message }: BuildFailure): string {
  const [first] = errors ?? [];
  if (first === undefined) return message;
  return first.location === null ? first.text : `${first.text} (${first.location.file}:${first.location.line})`;
}
