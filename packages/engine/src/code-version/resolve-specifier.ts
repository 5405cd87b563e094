import { realpathSync, statSync } from "node:fs";
import { isBuiltin } from "node:module";
import { dirname, isAbsolute, join, resolve, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { describedAround, describedAt, type Package, packageAt, subpaths, targetsOf } from "./package-around.ts";
import type { Specifier } from "./specifiers.ts";

/** Where a specifier leads: files of the project, a package that is installed, or nowhere on this machine. */
export type Found =
  | { readonly files: readonly string[] }
  | { readonly package: Package }
  | { readonly missing: string }
  | "builtin";

const ENDINGS = ["", ".js", ".json", ".node", ".cjs", ".mjs", ".ts", ".cts", ".mts"];
const INDEXES = ["index.js", "index.json", "index.node", "index.ts", "index.cjs", "index.mjs"];

/** Finds what modules load. What it has found is kept: one of these is good for one look at the disk. */
export class Resolver {
  readonly #packages = new Map<string, Package | undefined>();
  readonly #files = new Map<string, string[]>();

  /** Wherever a condition or an ending leaves a choice, all that is there is found: it can only be too much. */
  find({ text, kind }: Specifier, from: string): Found {
    if (isBuiltin(text)) return "builtin";
    const place = pathOf(text, kind, dirname(from));
    if (place !== undefined) return filesOr([...new Set(place.flatMap((path) => this.#filesAt(path)))], text);
    if (text.startsWith("#")) return this.#internal(text, from);
    const [name, subpath] = parts(text);
    const home = name === "" ? undefined : this.package(name, dirname(from));
    if (home === undefined) return { missing: text };
    return isInstalled(home.root) ? { package: home } : filesOr(exported(home, subpath), text);
  }

  /** The package that an import of this name finds from a directory; links are followed. */
  package(name: string, from: string): Package | undefined {
    const known = `${from}\0${name}`;
    if (this.#packages.has(known)) return this.#packages.get(known);
    const above = dirname(from);
    let found = from.endsWith(`${sep}node_modules`) ? undefined : linkedPackage(join(from, "node_modules", name), name);
    // A package may import itself by its name.
    found ??= namedSo(packageAt(from), name);
    if (found === undefined && above !== from) found = this.package(name, above);
    this.#packages.set(known, found);
    return found;
  }

  /** Many modules load the same ones. */
  #filesAt(path: string): string[] {
    const known = this.#files.get(path) ?? filesAt(path);
    this.#files.set(path, known);
    return known;
  }

  #internal(text: string, from: string): Found {
    const home = describedAround(from);
    if (home === undefined || typeof home.imports !== "object" || home.imports === null) return { missing: text };
    const found = targetsOf(home.imports as Readonly<Record<string, unknown>>, text);
    const files = found.filter((target) => target.startsWith(".")).flatMap((path) => filesAt(join(home.root, path)));
    const [other] = found.filter((target) => !target.startsWith(".") && !target.startsWith("#"));
    if (files.length === 0 && other !== undefined) return this.find({ text: other, kind: "module" }, from);
    return filesOr(files, text);
  }
}

/** Whether a file is part of an installed package: those have a version, and nobody edits them. */
export function isInstalled(path: string): boolean {
  return path.includes(`${sep}node_modules${sep}`);
}

function filesOr(files: readonly string[], text: string): Found {
  return files.length === 0 ? { missing: text } : { files };
}

/** Paths that a relative, absolute or `file:` specifier may mean; undefined for the name of a package. */
function pathOf(text: string, kind: Specifier["kind"], directory: string): string[] | undefined {
  if (text.startsWith("file:")) {
    try {
      return [fileURLToPath(text)];
    } catch {
      return [];
    }
  }
  if (/^[a-z][a-z0-9+.-]+:/i.test(text)) return [];
  if (kind === "module" && !/^\.{0,2}\//.test(text) && text !== "." && text !== "..") return undefined;
  const address = text.replace(/[?#].*$/s, "");
  return [...new Set([text, address, decoded(address)])].map((path) =>
    isAbsolute(path) ? path : resolve(directory, path),
  );
}

function decoded(address: string): string {
  try {
    return decodeURIComponent(address);
  } catch {
    return address;
  }
}

/** The files that a path may mean: itself, with an ending, or as a folder. */
function filesAt(path: string): string[] {
  const itself = realFile(path);
  if (itself !== undefined) return [itself];
  const tried = [...ENDINGS.map((ending) => path + ending), ...INDEXES.map((name) => join(path, name))];
  const main = describedAt(path)?.main;
  if (main !== undefined) tried.push(...ENDINGS.map((ending) => join(path, main) + ending));
  return tried.map(realFile).filter((file) => file !== undefined);
}

function realFile(path: string): string | undefined {
  // A path with a zero byte in it, or a link to itself, is nowhere.
  try {
    return statSync(path, { throwIfNoEntry: false })?.isFile() === true ? realpathSync.native(path) : undefined;
  } catch {
    return undefined;
  }
}

/** Files that a package gives for a subpath (`.` or `./x`). */
function exported(home: Package, subpath: string): string[] {
  if (home.exports !== undefined) {
    return targetsOf(subpaths(home.exports), subpath).flatMap((path) => filesAt(join(home.root, path)));
  }
  return filesAt(join(home.root, subpath));
}

/** Name and subpath of a bare specifier: `@a/b/c` is `@a/b` and `./c`. */
function parts(text: string): readonly [name: string, subpath: string] {
  const [, name = "", rest = ""] = /^((?:@[^/]+\/)?[^/@][^/]*)(.*)$/s.exec(text) ?? [];
  return [name, `.${rest}`];
}

/** A package without a name of its own has that of its folder. */
function linkedPackage(root: string, name: string): Package | undefined {
  const found = describedAt(root);
  return found === undefined ? undefined : { ...found, name: found.name ?? name, root: realpathSync.native(root) };
}

function namedSo(found: Package | undefined, name: string): Package | undefined {
  return found?.name === name ? found : undefined;
}
