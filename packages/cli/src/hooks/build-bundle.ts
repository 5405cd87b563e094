import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import type { BuildOptions } from "esbuild";

const cli = join(dirname(fileURLToPath(import.meta.url)), "..", "..");
const sources = join(cli, "..", "agents", "src", "hooks");

/** The bundle of `coppice hooks run`, whether it was built or not. */
export const bundleFile = join(cli, "dist", "hooks", "coppice-hooks.cjs");

/** Bundles `coppice hooks run` and the programs it starts, because start-up time is what an agent waits for. */
export async function buildBundle(): Promise<void> {
  const { build } = await import("esbuild");
  const shared: BuildOptions = {
    outdir: dirname(bundleFile),
    bundle: true,
    platform: "node",
    target: "node24",
    minify: true,
    legalComments: "none",
    logLevel: "warning",
  };
  // CommonJS, because `import "node:fs"` evaluates every export of the module, `fs.promises` included; `require` does not.
  await build({
    ...shared,
    entryPoints: { "coppice-hooks": join(cli, "src", "hooks", "run-entry.ts") },
    format: "cjs",
    outExtension: { ".js": ".cjs" },
    define: { "import.meta.url": "bundleUrl" },
    banner: { js: 'const bundleUrl = "file://" + encodeURI(__filename);' },
  });
  await build({
    ...shared,
    entryPoints: {
      "background-entry": join(sources, "run", "background-entry.ts"),
      "module-entry": join(sources, "daemon", "module-entry.ts"),
    },
    format: "esm",
    outExtension: { ".js": ".mjs" },
  });
}

/** The program agents should start: the bundle if it is there or can be built, else the command itself. */
export async function fastestProgram(): Promise<string> {
  const sourcesThere = existsSync(sources);
  if (sourcesThere) await buildBundle().catch(() => {});
  return existsSync(bundleFile) ? bundleFile : join(cli, "bin", "coppice.js");
}
