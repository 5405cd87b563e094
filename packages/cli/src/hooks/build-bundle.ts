import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { ASK_DAEMON } from "@coppice/hooks";
import type { BuildOptions, Plugin } from "esbuild";
import { builtAddresses } from "./built-addresses.ts";

const cli = join(dirname(fileURLToPath(import.meta.url)), "..", "..");
const sources = join(cli, "..", "hooks", "src");

/** Where the bundle is built unless said otherwise. */
export const bundleDirectory = join(cli, "dist", "hooks");

/**
 * Bundles `coppice hooks run` and the programs it starts, because start-up time is what an agent waits for. Returns the
 * program's file; beside it lies the list of sources, so that a bundle older than one of them is not used.
 */
export async function buildBundle(directory = bundleDirectory): Promise<string> {
  const { build } = await import("esbuild");
  const shared: BuildOptions = {
    absWorkingDir: cli,
    outdir: directory,
    bundle: true,
    platform: "node",
    target: "node24",
    minify: true,
    legalComments: "none",
    logLevel: "warning",
    metafile: true,
    plugins: [bundledAddresses],
  };
  // CommonJS, because `import "node:fs"` evaluates every export of the module, `fs.promises` included; `require` does not.
  const { metafile } = await build({
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
      "background-entry": join(sources, "run", "background-entry.ts"),
      "module-entry": join(sources, "daemon", "module-entry.ts"),
    },
    format: "esm",
    outExtension: { ".js": ".mjs" },
  });
  const inputs = Object.keys(metafile?.inputs ?? {}).map((input) => join(cli, input));
  writeFileSync(join(directory, "sources.json"), `${JSON.stringify(inputs, null, 2)}\n`);
  const program = join(directory, "coppice-hooks.cjs");
  writeFileSync(program, PROGRAM);
  writeFileSync(join(directory, "coppice-hooks.sh"), ASK_DAEMON);
  return program;
}

/**
 * Lets Node keep the compiled bundle, which takes longer to compile than to run. Beside the bundle, where nobody can write
 * who could not change the bundle itself; where we cannot either, nothing is kept. With a Node that is too old, or a bundle that
 * was installed by halves, nothing is checked, so guards are held closed, as by the launcher.
 */
const PROGRAM = `const [major, minor] = process.versions.node.split(".");
const unchecked = (why) => {
  require("node:fs").writeSync(2, "coppice: " + why + ", so no hook ran\\n");
  process.exit(/^(PreToolUse|PermissionRequest|UserPromptSubmit)$/.test(process.argv[4]) ? 2 : 1);
};
if (major < 22 || (major === "22" && minor < 18)) unchecked("needs Node 22.18 or later, this is " + process.versions.node);
require("node:module").enableCompileCache?.(__dirname + "/compiled");
try {
  require("./run.cjs");
} catch (error) {
  unchecked("its program cannot be loaded (" + String(error.message).split("\\n")[0] + "); install it again");
}
`;

/** The programs beside the bundle are modules wherever they lie. */
const bundledAddresses: Plugin = {
  name: "bundled-addresses",
  setup: ({ onLoad }) => {
    onLoad({ filter: /\.ts$/ }, ({ path }) => ({
      contents: builtAddresses(readFileSync(path, "utf8"), "mjs"),
      loader: "ts",
    }));
  },
};

/** The program agents should start: the bundle if it can be built or is there, else the command itself. */
export async function fastestProgram(): Promise<string> {
  const inClone = import.meta.url.endsWith(".ts");
  const built = inClone ? await buildBundle().catch(() => undefined) : undefined;
  const shipped = join(bundleDirectory, "coppice-hooks.cjs");
  return built ?? (existsSync(shipped) ? shipped : join(cli, "bin", "coppice.js"));
}
