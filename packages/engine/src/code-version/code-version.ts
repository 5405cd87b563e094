import { createHash, hash } from "node:crypto";
import { readFileSync, realpathSync, statSync } from "node:fs";
import { dirname, join, relative, sep } from "node:path";
import { fileHash } from "../files/file-hash.ts";
import { type Package, packageAround } from "./package-around.ts";
import { isInstalled, Resolver } from "./resolve-specifier.ts";
import { specifiers } from "./specifiers.ts";

/** Which code a module is, with all that it loads. */
export interface CodeVersion {
  /** SHA-256 in hex. The same wherever the project is: it knows contents and who loads whom, no paths. */
  readonly hash: string;
  /** Every file of the project that can be loaded, as seen from the module's directory, with the start of its SHA-256. */
  readonly files: Readonly<Record<string, string>>;
  /** Every installed package that can be loaded, as `name@version`, sorted. */
  readonly packages: readonly string[];
  /** Of every file and package.json, what the disk said of it before it was read: one that has another stamp now was written since. */
  readonly stamps: ReadonlyMap<string, string>;
}

/** Size, times and number of a file, without reading it; empty when there is none. */
export function stampOf(path: string): string {
  const stats = statSync(path, { throwIfNoEntry: false });
  return stats === undefined ? "" : [stats.size, stats.mtimeMs, stats.ctimeMs, stats.ino].join();
}

const CODE = /\.[cm]?[jt]sx?$/;

/**
 * The version of a module: a hash over its import graph. Files of the project, and of packages that are linked and not
 * installed, count by content; installed packages, with all they depend on, by name and version; Node's own modules not.
 * `besides` are files that belong to it though no module loads them: a script that it runs.
 */
export function codeVersion(file: string, besides: readonly string[] = []): CodeVersion {
  const entry = realpathSync.native(file);
  return new Graph(entry).version(besides.map((path) => realpathSync.native(path)));
}

/** A file, an installed package or what could not be found, in the order of discovery; `loads` are places in that order. */
interface Part {
  readonly name: string;
  loads: readonly number[];
}

class Graph {
  readonly #entry: string;
  readonly #home: string | undefined;
  readonly #resolver = new Resolver();
  readonly #parts: Part[] = [];
  readonly #places = new Map<string, number>();
  readonly #waiting: (() => void)[] = [];
  readonly #files: Record<string, string> = {};
  readonly #packages = new Set<string>();
  readonly #stamps = new Map<string, string>();

  constructor(entry: string) {
    this.#entry = entry;
    // An evaluator that is part of an installed package is looked at as closely as one of the project.
    this.#home = isInstalled(entry) ? packageAround(entry)?.root : undefined;
  }

  version(besides: readonly string[]): CodeVersion {
    for (const path of [this.#entry, ...besides]) this.#file(path);
    for (let work = this.#waiting.shift(); work !== undefined; work = this.#waiting.shift()) work();
    const digest = createHash("sha256");
    for (const { name, loads } of this.#parts) digest.update(`${JSON.stringify(name)} ${loads.join()}\n`);
    const packages = [...this.#packages].sort();
    return { hash: digest.digest("hex"), files: this.#files, packages, stamps: this.#stamps };
  }

  #file(path: string): number {
    if (isInstalled(path)) {
      const home = packageAround(path);
      if (home !== undefined && home.root !== this.#home) return this.#package(home);
    }
    return this.#place(`file ${path}`, () => {
      this.#stamps.set(path, stampOf(path));
      const code = CODE.test(path) ? readFileSync(path) : undefined;
      const content = code === undefined ? fileHash(path) : hash("sha256", code, "hex");
      this.#files[relative(dirname(this.#entry), path).split(sep).join("/")] = content.slice(0, 16);
      return { name: content, loads: () => (code === undefined ? [] : this.#loads(code.toString("utf8"), path)) };
    });
  }

  #loads(code: string, path: string): number[] {
    return specifiers(code).flatMap((specifier) => {
      const found = this.#resolver.find(specifier, path);
      if (found === "builtin") return [];
      if ("package" in found) return [this.#package(found.package)];
      if ("files" in found) return found.files.map((file) => this.#file(file));
      return [this.#place(`missing ${found.missing}`, () => ({ name: `no ${found.missing}`, loads: () => [] }))];
    });
  }

  #package(found: Package): number {
    const { root, name, version, dependencies, optionalDependencies, peerDependencies } = found;
    return this.#place(`package ${root}`, () => {
      const named = `${name}@${version ?? ""}`;
      const manifest = join(root, "package.json");
      this.#stamps.set(manifest, stampOf(manifest));
      this.#packages.add(named);
      const wanted = Object.keys({ ...dependencies, ...optionalDependencies, ...peerDependencies }).sort();
      const loads = () =>
        wanted.flatMap((dependency) => {
          const home = this.#resolver.package(dependency, root);
          if (home === undefined) return [];
          return [this.#package(home)];
        });
      return { name: named, loads };
    });
  }

  /** The place of a part; one that is new is described now, and what it loads is looked at in its turn. */
  #place(identity: string, describe: () => { readonly name: string; readonly loads: () => readonly number[] }): number {
    const known = this.#places.get(identity);
    if (known !== undefined) return known;
    const place = this.#parts.length;
    this.#places.set(identity, place);
    const { name, loads } = describe();
    const part: Part = { name, loads: [] };
    this.#parts.push(part);
    this.#waiting.push(() => {
      part.loads = loads();
    });
    return place;
  }
}
