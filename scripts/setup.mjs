// Installs what is missing before `npm start` and `npm test`, so that a fresh clone needs no other step.
// Runs on whatever Node the machine has (20 or later): plain JavaScript, no dependencies.
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const NODE_MAJOR = 24;
const root = dirname(dirname(fileURLToPath(import.meta.url)));

if (!installed()) {
  console.log("coppice: installing dependencies (first time, or the lockfile changed)");
  const npm = process.env.npm_execpath;
  const [command, args] = npm ? [process.execPath, [npm]] : ["npm", []];
  // Not `npm ci`: it refuses a lockfile that leaves out optional packages for other platforms. This too installs exactly
  // the locked versions, and writes neither package.json nor the lockfile.
  const done = spawnSync(command, [...args, "install", "--no-save", "--no-audit", "--no-fund", "--loglevel=error"], {
    cwd: root,
    stdio: "inherit",
  });
  if (done.status !== 0) {
    console.error("coppice: npm install failed; see its message above");
    process.exit(1);
  }
}

// As npm's scripts find it: the one that came with the dependencies, else the machine's own.
const PATH = `${join(root, "node_modules", ".bin")}${delimiter}${process.env.PATH ?? ""}`;
const node = spawnSync("node", ["-p", "process.versions.node"], {
  cwd: root,
  encoding: "utf8",
  env: { ...process.env, PATH },
});
const major = Number.parseInt(node.stdout ?? "", 10);
if (!(major >= NODE_MAJOR)) {
  const comesAlong = process.platform === "linux" && (process.arch === "x64" || process.arch === "arm64");
  const help = comesAlong
    ? `it should have come with the dependencies (node-linux-${process.arch}): remove node_modules and run "npm install"`
    : `for ${process.platform} ${process.arch} please install it yourself`;
  console.error(`coppice: needs Node ${NODE_MAJOR} or later, found ${node.stdout?.trim() || "none"}; ${help}`);
  process.exit(1);
}

/** npm writes a copy of the lockfile into node_modules; equal package lists mean nothing is missing. */
function installed() {
  const hidden = join(root, "node_modules", ".package-lock.json");
  if (!existsSync(hidden)) return false;
  const have = JSON.parse(readFileSync(hidden, "utf8")).packages;
  const want = JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8")).packages;
  return Object.entries(want).every(([path, entry]) => {
    if (path === "" || entry.optional || entry.devOptional || !path.startsWith("node_modules/")) return true;
    return have[path] !== undefined && (entry.link === true || have[path].version === entry.version);
  });
}
