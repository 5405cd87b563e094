import { join } from "node:path";
import { build, type Plugin } from "esbuild";

/**
 * Bundles what prints help: the parser and what every command says of itself, without anything that a command then does.
 * CommonJS, which starts faster than a module.
 */
export async function buildHelpBundle(cli: string, outfile: string): Promise<void> {
  await build({
    entryPoints: [join(cli, "src", "help-entry.ts")],
    outfile,
    bundle: true,
    platform: "node",
    target: "node22",
    format: "cjs",
    minify: true,
    legalComments: "none",
    logLevel: "warning",
    define: { "import.meta.url": "bundleUrl" },
    banner: { js: 'const bundleUrl = "file://" + encodeURI(__filename);' },
    plugins: [withoutActions],
  });
}

/** A command is loaded to be described; what its action would load never is. */
const withoutActions: Plugin = {
  name: "without-actions",
  setup: ({ onResolve }) => {
    onResolve({ filter: /./ }, ({ path, kind, importer }) =>
      kind === "dynamic-import" && !/[/\\]commands\.ts$/.test(importer) ? { path, external: true } : undefined,
    );
  },
};
