import { spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, existsSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { buildHelpBundle } from "../../packages/cli/scripts/help-bundle.ts";
import { buildBundle } from "../../packages/cli/src/hooks/build-bundle.ts";
import { builtAddresses } from "../../packages/cli/src/hooks/built-addresses.ts";
import { buildPage } from "../../packages/studio/src/page/page-bundle.ts";
import { builtImports, dropUnreachableDeclarations } from "./declarations.ts";
import { lineMap, type SourceMap } from "./line-map.ts";
import { builtPath, type Manifest, publishedManifest } from "./published-manifest.ts";

const workspace = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
const packages = join(workspace, "packages");

/** The tables that the embedded day was made from: nothing reads them once it is made. */
const UNPUBLISHED_DATA = /\.csv(\.gz)?$|rules\.json$/;

/** Builds every package below `stage`, each in a folder as it is published, and returns these folders. */
export async function buildAll(stage: string): Promise<string[]> {
  const emitted = join(stage, "emitted");
  await compile(stage, emitted);
  const folders = globSync("*/package.json", { cwd: packages }).map(dirname).sort();
  const built = folders.map((folder) => {
    const place = join(stage, folder);
    layOut(join(packages, folder), join(emitted, folder, "src"), place);
    return place;
  });
  await addHooksBundle(join(stage, "cli", "dist", "hooks"));
  await buildPage(join(stage, "studio", "dist", "page"));
  await buildStart(join(stage, "cli"));
  rmSync(emitted, { recursive: true });
  return built;
}

/** All packages at once: they know each other by their sources. */
async function compile(stage: string, outDir: string): Promise<void> {
  const emit = (name: string, how: Readonly<Record<string, boolean>>): Promise<void> => {
    const compilerOptions = {
      noEmit: false,
      rootDir: packages,
      outDir,
      typeRoots: [join(workspace, "node_modules", "@types")],
      ...how,
    };
    const include = [join(packages, "*/src/**/*.ts")];
    const exclude = [join(packages, "*/src/**/*.test.ts")];
    const config = { extends: join(workspace, "tsconfig.json"), compilerOptions, include, exclude };
    const file = join(stage, `tsconfig-${name}.json`);
    writeFileSync(file, JSON.stringify(config));
    return tsc(file);
  };
  // Comments are for the declarations, which editors show, and the sources, where the maps lead.
  await Promise.all([
    emit("declarations", { emitDeclarationOnly: true, declarationMap: true }),
    emit("modules", { declaration: false, removeComments: true, sourceMap: true }),
  ]);
}

async function tsc(config: string): Promise<void> {
  const program = join(workspace, "node_modules", "typescript", "bin", "tsc");
  const child = spawn(process.execPath, [program, "-p", config], { stdio: ["ignore", "inherit", "inherit"] });
  const [code] = await once(child, "close");
  if (code !== 0) throw new Error("tsc found errors: see above");
}

/** A package as it is published: the build and, for maps to lead to, the sources; what lies beside them; its data. */
function layOut(home: string, emitted: string, place: string): void {
  const dist = join(place, "dist");
  cpSync(emitted, dist, { recursive: true });
  for (const file of globSync("**/*.js", { cwd: dist })) {
    edit(join(dist, file), (code) => builtAddresses(code, "js"));
  }
  for (const file of globSync("**/*.d.ts", { cwd: dist })) edit(join(dist, file), builtImports);
  for (const file of globSync("**/*.map", { cwd: dist })) {
    edit(join(dist, file), (map) => pointedAtSource(map, join(dist, file), join(place, "src")));
  }
  for (const file of globSync("src/**/*.*", { cwd: home, withFileTypes: true })) {
    if (!file.isFile() || file.name.endsWith(".test.ts")) continue;
    const path = join(file.parentPath, file.name);
    const inside = relative(join(home, "src"), path);
    copy(path, file.name.endsWith(".ts") ? join(place, "src", inside) : join(dist, inside));
  }
  for (const file of globSync("data/**/*.*", { cwd: home, withFileTypes: true })) {
    const path = join(file.parentPath, file.name);
    if (file.isFile() && !UNPUBLISHED_DATA.test(file.name)) copy(path, join(place, relative(home, path)));
  }
  const manifest = layOutProgram(home, place);
  dropUnreachableDeclarations(place, manifest.exports);
  copy(join(workspace, "LICENSE"), join(place, "LICENSE"));
  const readme = [join(home, "README.md"), join(workspace, "README.md")].find((file) => existsSync(file));
  if (readme !== undefined) copy(readme, join(place, "README.md"));
}

/** The package.json and the programs of a package, which are all that its command starts with. */
function layOutProgram(home: string, place: string): Manifest {
  const manifest = publishedManifest(JSON.parse(readFileSync(join(home, "package.json"), "utf8")) as Manifest);
  mkdirSync(place, { recursive: true });
  writeFileSync(join(place, "package.json"), `${JSON.stringify(manifest, null, 2)}\n`);
  for (const file of globSync("bin/*.js", { cwd: home })) {
    copy(join(home, file), join(place, file));
    edit(join(place, file), (code) => code.replace(/"\.(\.\/src\/[^"]*\.ts)"/g, (_, path) => `".${builtPath(path)}"`));
  }
  return manifest;
}

/** What of the command is loaded when it prints its version or help; returns the program. */
export async function buildStart(place: string): Promise<string> {
  const cli = join(packages, "cli");
  layOutProgram(cli, place);
  await buildHelpBundle(cli, join(place, "dist", "coppice-help.cjs"));
  return join(place, "bin", "coppice.js");
}

/** A map's source is where the package has it, seen from the map. */
function pointedAtSource(map: string, file: string, src: string): string {
  const parsed = JSON.parse(map) as SourceMap;
  const [source] = parsed.sources;
  const inside = source.slice(source.lastIndexOf("/src/") + "/src/".length);
  // Editors follow a name in declarations to its very place.
  const lean = file.endsWith(".d.ts.map") ? parsed : lineMap(parsed);
  return JSON.stringify({ ...lean, sources: [relative(dirname(file), join(src, inside))] });
}

/** Agents wait for `hooks run`; a published bundle has no sources that it could be older than. */
async function addHooksBundle(directory: string): Promise<void> {
  await buildBundle(directory);
  writeFileSync(join(directory, "sources.json"), "[]\n");
}

function edit(path: string, change: (text: string) => string): void {
  const text = readFileSync(path, "utf8");
  const changed = change(text);
  if (changed !== text) writeFileSync(path, changed);
}

function copy(from: string, to: string): void {
  mkdirSync(dirname(to), { recursive: true });
  cpSync(from, to);
}
