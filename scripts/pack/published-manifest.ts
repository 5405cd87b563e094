/** A package.json, as far as packing looks at it. */
export interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly description?: string;
  readonly exports: Readonly<Record<string, unknown>>;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
  readonly scripts?: Readonly<Record<string, string>>;
  readonly files?: readonly string[];
  readonly sideEffects?: boolean | readonly string[];
}

/** The file of a build that a source becomes: `./src/x.ts` is `./dist/x.js`. */
export function builtPath(source: string): string {
  return source.replace(/^\.\/src\/(.*)\.ts$/, "./dist/$1.js");
}

/**
 * The package.json that is published: entries lead to the build instead of the sources, and what serves only the clone
 * (entries of test code, scripts, development dependencies) is gone.
 */
export function publishedManifest({ exports, devDependencies, scripts, ...rest }: Manifest): Manifest {
  const published = Object.entries(exports).flatMap(([entry, target]) => {
    if (typeof target !== "string" || !target.startsWith("./src/")) return [];
    const built = builtPath(target);
    return [[entry, { types: built.replace(/\.js$/, ".d.ts"), default: built }] as const];
  });
  const files = ["bin", "data", "dist", "src"];
  // Modules that do something when they are loaded are programs of their own, and are named so.
  return { ...rest, files, sideEffects: ["./dist/**/*-entry.js"], exports: Object.fromEntries(published) };
}
