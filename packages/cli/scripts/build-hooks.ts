import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { type BuildOptions, build } from "esbuild";

// Bundles `coppice hooks run` and the two programs it starts, because start-up time is what an agent waits for.
const cli = dirname(dirname(fileURLToPath(import.meta.url)));
const hooks = join(cli, "..", "agents", "src", "hooks");
const shared: BuildOptions = {
  outdir: join(cli, "dist", "hooks"),
  bundle: true,
  platform: "node",
  target: "node24",
  minify: true,
  legalComments: "none",
  logLevel: "warning",
};

// CommonJS, because `import "node:fs"` evaluates every export of the module, `fs.promises` included, and `require` none.
await build({
  ...shared,
  entryPoints: { run: join(cli, "src", "hooks", "run-entry.ts") },
  format: "cjs",
  outExtension: { ".js": ".cjs" },
  define: { "import.meta.url": "bundleUrl" },
  banner: { js: 'const bundleUrl = "file://" + encodeURI(__filename);' },
});
await build({
  ...shared,
  entryPoints: {
    "background-runner": join(hooks, "run", "background-runner.ts"),
    "module-worker": join(hooks, "daemon", "module-worker.ts"),
  },
  format: "esm",
  outExtension: { ".js": ".mjs" },
});
