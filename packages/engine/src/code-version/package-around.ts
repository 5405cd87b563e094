import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** A directory with a package.json, as that describes it; it may have no name. */
interface Described {
  readonly root: string;
  readonly name?: string;
  readonly version?: string;
  readonly main?: string;
  readonly exports?: unknown;
  readonly imports?: unknown;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
}

/** A package that has a name. */
export interface Package extends Described {
  readonly name: string;
}

/** What the package.json in a directory says; undefined where there is none that could be read. */
export function describedAt(root: string): Described | undefined {
  const path = join(root, "package.json");
  if (!existsSync(path)) return undefined;
  try {
    const described = JSON.parse(readFileSync(path, "utf8")) as Partial<Described> | null;
    return described === null ? undefined : { ...described, root };
  } catch {
    return undefined; // Node refuses it too, and says so when something is loaded
  }
}

/** The package whose root that is; undefined where there is none, or one without a name. */
export function packageAt(root: string): Package | undefined {
  const found = describedAt(root);
  return found?.name === undefined ? undefined : { ...found, name: found.name };
}

/** The nearest package with a name that the file is in. */
export function packageAround(file: string): Package | undefined {
  return nearest(file, packageAt);
}

/** What the nearest package.json says: internal names (`#x`) are looked up there, whether it has a name or not. */
export function describedAround(file: string): Described | undefined {
  return nearest(file, describedAt);
}

function nearest<Found>(file: string, at: (root: string) => Found | undefined): Found | undefined {
  for (let root = dirname(file); ; root = dirname(root)) {
    const found = at(root);
    if (found !== undefined) return found;
    if (root === dirname(root)) return undefined;
  }
}

/** Subpaths and their targets; `exports` may also be the target of the package itself. */
export function subpaths(exports: unknown): Readonly<Record<string, unknown>> {
  const several =
    typeof exports === "object" && exports !== null && Object.keys(exports).every((key) => /^\./.test(key));
  return several ? (exports as Readonly<Record<string, unknown>>) : { ".": exports };
}

/** Every file or package that a target of `exports` or `imports` names, under whatever condition a program could have. */
export function targets(target: unknown): string[] {
  if (typeof target === "string") return [target];
  if (typeof target !== "object" || target === null) return [];
  return Object.entries(target).flatMap(([condition, inner]) => (condition === "types" ? [] : targets(inner)));
}

/** Targets of a subpath (`./x`) or an internal name (`#x`), also through a pattern with a star. */
export function targetsOf(table: Readonly<Record<string, unknown>>, subpath: string): string[] {
  if (Object.hasOwn(table, subpath)) return targets(table[subpath]);
  return Object.entries(table).flatMap(([pattern, target]) => {
    const [before, after] = pattern.split("*");
    if (after === undefined || !subpath.startsWith(before) || !subpath.endsWith(after)) return [];
    const star = subpath.slice(before.length, subpath.length - after.length);
    return targets(target).map((path) => path.replaceAll("*", star));
  });
}
