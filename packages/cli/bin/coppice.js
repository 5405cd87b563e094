#!/usr/bin/env node
// Says clearly when Node is too old, before anything modern is loaded. For a hook, exit code 2 would mean "block".
const forHooks = process.argv[2] === "hooks" && process.argv[3] === "run";
if (Number.parseInt(process.versions.node, 10) < 24) {
  console.error(`coppice: needs Node 24 or later, this is ${process.versions.node}; from a clone use "npx coppice"`);
  process.exit(forHooks ? 1 : 2);
}
if (forHooks && !process.argv.includes("--help")) {
  // Agents wait for this one: the bundle if it was built, else the sources, and never the command line's own parser.
  const bundle = new URL("../dist/hooks/coppice-hooks.cjs", import.meta.url);
  const { existsSync } = await import("node:fs");
  await import(existsSync(bundle) ? bundle.href : "../src/hooks/run-entry.ts");
} else {
  await import("../src/main.ts");
}
