import { posix } from "node:path";

/**
 * Which packages a package may import, or which of their entries. `cli` may import all; a package that is not listed here
 * has no place yet.
 */
const MAY_IMPORT: Readonly<Record<string, readonly string[] | "all">> = {
  engine: [],
  search: ["engine"],
  airspace: ["engine", "search"],
  ideas: ["engine", "search"],
  projections: ["engine", "search"],
  agents: ["engine"],
  hooks: ["engine"],
  cluster: ["engine"],
  mcp: ["engine"],
  studio: [
    "engine",
    "airspace/view",
    "airspace/what-if",
    "agents/view",
    "hooks/view",
    "ideas/view",
    "projections/view",
  ],
  workbench: ["engine"],
  cli: "all",
};

/** A package of the workspace: its folder below `packages`, its name, and the entries it is imported by (`.`, `./worker`). */
export interface WorkspacePackage {
  readonly folder: string;
  readonly name: string;
  readonly entries: readonly string[];
}

/** A source file, by its path from the workspace's root. */
export interface SourceFile {
  readonly path: string;
  readonly text: string;
}

/** One line for every import that leaves its package past a public entry or against the order of the packages. */
export function layerViolations(files: readonly SourceFile[], packages: readonly WorkspacePackage[]): string[] {
  return files.flatMap(({ path, text }) => {
    return importsOf(text).flatMap((specifier) => {
      const wrong = specifier.startsWith(".") ? leaves(path, specifier) : breaksOrder(path, specifier, packages);
      return wrong === undefined ? [] : [`${path} imports ${specifier}: ${wrong}`];
    });
  });
}

/** What a relative import must not do: leave the package, or bring test code into what is not a test. */
function leaves(path: string, specifier: string): string | undefined {
  const [, folder, part] = path.split("/");
  const home = `packages/${folder}/`;
  const target = posix.join(posix.dirname(path), specifier);
  if (!target.startsWith(home)) return `it leaves packages/${folder}; import the other package by its name`;
  if (part === "src" && !path.endsWith(".test.ts") && target.startsWith(`${home}test/`)) {
    return "test code has no place in src";
  }
  return undefined;
}

/** What an import by name must not do: name a package below or beside, or a file that is not an entry. */
function breaksOrder(path: string, specifier: string, packages: readonly WorkspacePackage[]): string | undefined {
  const imported = packages.find(({ name }) => specifier === name || specifier.startsWith(`${name}/`));
  if (imported === undefined) return undefined;
  const entry = `.${specifier.slice(imported.name.length)}`;
  if (!imported.entries.includes(entry)) return `${imported.name} has no entry ${entry}`;
  const [, folder, part] = path.split("/");
  // A test may stand where a user of the package stands.
  if (imported.folder === folder) return part === "src" ? "a package imports its own files by their path" : undefined;
  const allowed = Object.hasOwn(MAY_IMPORT, folder) ? MAY_IMPORT[folder] : undefined;
  if (allowed === undefined) return `${folder} has no place in the order of packages yet`;
  if (
    allowed === "all" ||
    [imported.folder, `${imported.folder}${entry.slice(1)}`].some((one) => allowed.includes(one))
  ) {
    return undefined;
  }
  return `${folder} may import ${allowed.length === 0 ? "no other package" : `only ${allowed.join(", ")}`}`;
}

/** What a module loads: static, dynamic and re-exported imports, resolved names, and modules by their URL. */
function importsOf(text: string): string[] {
  const loads = [
    /^(?:import|export)\b[^"'`;]*?\bfrom "([^"]+)"/gm,
    /^import "([^"]+)"/gm,
    /\bimport\(\s*"([^"]+)"/g,
    /\bimport\.meta\.resolve\(\s*"([^"]+)"/g,
    /\bnew URL\(\s*"([^"]+\.[cm]?[jt]s)",\s*import\.meta\.url/g,
  ];
  return loads.flatMap((load) => Array.from(text.matchAll(load), ([, specifier]) => specifier));
}
