import { spawnSync } from "node:child_process";
import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { API, type Checker, type Symbol as Named, type Project, SymbolFlags } from "typescript/unstable/sync";

const workspace = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
const packages = join(workspace, "packages");

/** Something a package exports. */
export interface Exported {
  readonly name: string;
  /** Its doc comment; empty when it has none. */
  readonly comment: string;
  /** As it is declared for users, member comments included. */
  readonly declaration: string;
  /** Where it is declared: two entries may export the same. */
  readonly place: string;
}

/** What a package can be imported by. */
export interface Entry {
  /** `@coppice/engine/pools` */
  readonly specifier: string;
  /** What the module says of itself at its top. */
  readonly about: string;
  readonly exports: readonly Exported[];
}

/** The public face of a package: the entries that are published. */
export interface Face {
  /** Its folder below `packages`. */
  readonly folder: string;
  readonly name: string;
  readonly description: string;
  readonly entries: readonly Entry[];
}

interface Manifest {
  readonly name: string;
  readonly description?: string;
  readonly exports?: Readonly<Record<string, string>>;
}

/** Reads the public face of every package from the declarations that users get, made by the compiler itself. */
export function publicFaces(): readonly Face[] {
  const stage = mkdtempSync(join(tmpdir(), "coppice-api-"));
  const api = new API();
  try {
    const config = declare(stage);
    const project = api.updateSnapshot({ openProjects: [config] }).getProject(config);
    if (project === undefined) throw new Error(`the compiler does not know ${config}`);
    return globSync("*/package.json", { cwd: packages })
      .map(dirname)
      .sort()
      .map((folder) => faceOf(folder, stage, project));
  } finally {
    api.close();
    rmSync(stage, { recursive: true, force: true });
  }
}

/** Writes the declarations of all packages below `stage`, and returns a project of them. */
function declare(stage: string): string {
  const compilerOptions = {
    noEmit: false,
    declaration: true,
    emitDeclarationOnly: true,
    noCheck: true,
    rootDir: packages,
    outDir: join(stage, "declared"),
    typeRoots: [join(workspace, "node_modules", "@types")],
  };
  const config = (name: string, content: unknown) => {
    const path = join(stage, name);
    writeFileSync(path, JSON.stringify(content));
    return path;
  };
  const sources = config("tsconfig.sources.json", {
    extends: join(workspace, "tsconfig.json"),
    compilerOptions,
    include: [join(packages, "*/src/**/*.ts")],
    exclude: [join(packages, "*/src/**/*.test.ts")],
  });
  const tsc = join(workspace, "node_modules", "typescript", "bin", "tsc");
  const done = spawnSync(process.execPath, [tsc, "-p", sources], { encoding: "utf8" });
  if (done.status !== 0) throw new Error(`the declarations cannot be made: ${done.stdout}${done.stderr}`);
  return config("tsconfig.json", {
    extends: join(workspace, "tsconfig.json"),
    compilerOptions: { noEmit: true, typeRoots: compilerOptions.typeRoots },
    include: ["declared/**/*.d.ts"],
  });
}

function faceOf(folder: string, stage: string, project: Project): Face {
  const manifest = JSON.parse(readFileSync(join(packages, folder, "package.json"), "utf8")) as Manifest;
  const published = Object.entries(manifest.exports ?? {}).filter(([, path]) => path.startsWith("./src/"));
  const entries = published.map(([entry, path]): Entry => {
    const file = join(stage, "declared", folder, path.replace(/\.ts$/, ".d.ts"));
    return {
      specifier: join(manifest.name, entry),
      about: about(readFileSync(join(packages, folder, path), "utf8")),
      exports: exportsOf(file, project),
    };
  });
  return { folder, name: manifest.name, description: manifest.description ?? "", entries };
}

/** The comment at the top of a module. */
function about(text: string): string {
  const [comment] = /^(?:\/\/.*\n)+/.exec(text) ?? [""];
  return comment
    .replace(/^\/\/ ?/gm, "")
    .replaceAll("\n", " ")
    .trim();
}

function exportsOf(file: string, { program, checker }: Project): Exported[] {
  const source = program.getSourceFile(file);
  const module = source === undefined ? undefined : checker.getSymbolAtLocation(source);
  if (module === undefined) throw new Error(`${file} is not a module`);
  return checker.getExportsOfModule(module).map((symbol) => exported(symbol, checker));
}

function exported(symbol: Named, checker: Checker): Exported {
  const target = declared(symbol) ? symbol : checker.getAliasedSymbol(symbol);
  const nodes = target.declarations.map((handle) => handle.resolve()).filter((node) => node !== undefined);
  const declaration = nodes.map((node) => declarationText(node.getText())).join("\n");
  return {
    name: symbol.name,
    comment: target.getDocumentationComment(checker).trim(),
    declaration,
    place: target.declarations.map(({ path, index }) => `${path}:${index}`).join(),
  };
}

/** As a user would write it: what is private does not concern them. */
function declarationText(text: string): string {
  const whole = /^export /.test(text) ? text.replace(/^export (declare )?/, "") : `const ${text}`;
  return whole
    .replace(/^\s+(#private|private [^;]*);\n/gm, "")
    .replace(/^( {4})+/gm, (indent) => "  ".repeat(indent.length / 4));
}

/** Whether it is declared where it is exported, and not passed on from elsewhere. */
function declared({ flags }: Named): boolean {
  return (flags & SymbolFlags.Alias) === 0;
}
