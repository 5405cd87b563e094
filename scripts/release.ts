// `npm run release`: checks, builds and packs, and shows what would be published. Publishing is a person's decision.
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, rmSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { packAll } from "./pack/pack.ts";
import { releaseFaults } from "./pack/release-faults.ts";

const workspace = dirname(dirname(fileURLToPath(import.meta.url)));
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { "skip-checks": { type: "boolean", default: false } },
});
const folder = resolve(positionals[0] ?? join(workspace, "dist", "release"));
if (positionals.length > 1) stop("usage: npm run release -- [folder] [--skip-checks]", 2);
if (existsSync(folder) && positionals[0] !== undefined)
  stop(`${folder} is there already: name a folder that is not`, 2);

const changelog = readFileSync(join(workspace, "CHANGELOG.md"), "utf8");
const { version } = JSON.parse(readFileSync(join(workspace, "package.json"), "utf8")) as { readonly version: string };
const uncommitted = git("status", "--porcelain").split("\n").filter(Boolean).length;
const tags = git("tag", "--list", "v*").split("\n").filter(Boolean);
const faults = releaseFaults({ version, changelog, uncommitted, tags });

// What CI runs is what a release has to pass.
if (!values["skip-checks"]) run("bash", [join(workspace, ".ci", "run")]);
rmSync(folder, { recursive: true, force: true });
const tarballs = await packAll(folder);

console.log(`\nwould be published as version ${version}:\n`);
for (const { name, size, unpackedSize, files, file } of tarballs) {
  const kilobytes = (bytes: number) => `${(bytes / 1000).toFixed(0)} KB`;
  console.log(`  ${name.padEnd(22)} ${kilobytes(size).padStart(7)}  unpacked ${kilobytes(unpackedSize).padStart(8)}`);
  console.log(`  ${"".padEnd(22)} ${files.length} files  ${relative(process.cwd(), file)}`);
}
for (const fault of faults) console.error(`release: ${fault}`);
if (faults.length > 0) stop("nothing should be published before that is mended", 1);
console.log("\nIn this order, by a person who may:\n");
for (const { file } of tarballs) console.log(`  npm publish --access public ${relative(process.cwd(), file)}`);
console.log(`  git tag v${version}\n`);

function git(...args: readonly string[]): string {
  const done = spawnSync("git", args, { cwd: workspace, encoding: "utf8" });
  if (done.status !== 0) stop(`git ${args.join(" ")} failed: ${done.stderr.trim()}`, 1);
  return done.stdout;
}

function run(program: string, args: readonly string[]): void {
  const { status } = spawnSync(program, args, { cwd: workspace, stdio: "inherit" });
  if (status !== 0) stop(`${program} ${args.join(" ")} failed: nothing was packed`, 1);
}

function stop(line: string, code: number): never {
  console.error(`release: ${line}`);
  process.exit(code);
}
