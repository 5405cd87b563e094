#!/usr/bin/env node
// Says clearly when Node is too old, before anything modern is loaded. For a hook, exit code 2 means "block": that is for those
// that are asked before something happens, because nothing was checked.
const forHooks = process.argv[2] === "hooks" && process.argv[3] === "run";
const [major, minor] = process.versions.node.split(".").map(Number);
if (major < 22 || (major === 22 && minor < 18)) {
  console.error(
    `coppice: needs Node 22.18 or later, this is ${process.versions.node}; please install a newer one (in a clone, "npx coppice" has its own)`,
  );
  const guards = ["PreToolUse", "PermissionRequest", "UserPromptSubmit"].includes(process.argv[4]);
  process.exit(forHooks && !guards ? 1 : 2);
}
if (!forHooks && !hasWorkingDirectory()) {
  console.error("coppice: the working directory does not exist any more; change into one that does");
  process.exit(2);
}
const words = process.argv.slice(2);
const help = words.length === 0 || words.some((word) => word === "--help" || word === "-h" || word === "help");
if (forHooks && !help) {
  // Agents wait for this one: the bundle if it is up to date, else the sources, and never the command line's own parser.
  await import(bundleIfCurrent() ?? "../src/hooks/run-entry.ts");
} else if (!(words[0] === "--version" && words.length === 1 ? printVersion() : help && (await printHelp()))) {
  const { keepCompiledModules } = await import("./compile-cache.js");
  keepCompiledModules();
  await import("../src/main.ts");
}

function hasWorkingDirectory() {
  try {
    return process.cwd() !== "";
  } catch {
    return false;
  }
}

function printVersion() {
  const { readFileSync } = process.getBuiltinModule("node:fs");
  console.log(JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8")).version);
  return true;
}

/** Help from the one file of a published package that needs no tool. False in a clone, or when something else is asked for. */
async function printHelp() {
  const bundle = new URL("../dist/coppice-help.cjs", import.meta.url);
  if (!process.getBuiltinModule("node:fs").existsSync(bundle)) return false;
  return (await import(bundle.href)).printedHelp(words);
}

/** The bundle, unless one of the sources it was made from has changed since. */
function bundleIfCurrent() {
  const { readFileSync, statSync } = process.getBuiltinModule("node:fs");
  const bundle = new URL("../dist/hooks/coppice-hooks.cjs", import.meta.url);
  const built = statSync(bundle, { throwIfNoEntry: false })?.mtimeMs;
  if (built === undefined) return undefined;
  const sources = JSON.parse(readFileSync(new URL("../dist/hooks/sources.json", import.meta.url), "utf8"));
  // A published package has no sources beside it, and nothing to be older than.
  const changed = (file) => (statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0) > built;
  return sources.some(changed) ? undefined : bundle.href;
}
