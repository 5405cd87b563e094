import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { writeDurably } from "@coppice/engine/files";

const home = join(dirname(fileURLToPath(import.meta.url)), "..", "..");
const sources = join(home, "page");
const built = join(home, "dist", "page");

/** The page as it is served. */
export interface PageBundle {
  readonly script: Buffer;
  readonly style: Buffer;
}

/** The page: the one that was packed, or in a clone one that is built when its sources have changed. */
export async function pageBundle(): Promise<PageBundle> {
  if (existsSync(join(sources, "main.tsx"))) {
    const stamp = join(built, "sources.json");
    if (!existsSync(stamp) || isOutdated(stamp)) {
      const inputs = await buildPage(built);
      writeDurably(stamp, JSON.stringify({ inputs, hash: hashOf(inputs) }));
    }
  }
  return { script: readFileSync(join(built, "studio.js")), style: readFileSync(join(built, "studio.css")) };
}

/**
 * Bundles the page into a directory: one script, one style sheet, nothing from elsewhere. Returns the files it is made of.
 * Each is written whole: in a clone several processes may find the page outdated at once.
 */
export async function buildPage(directory: string): Promise<readonly string[]> {
  const { build } = await import("esbuild");
  mkdirSync(directory, { recursive: true });
  const { metafile, outputFiles } = await build({
    absWorkingDir: home,
    entryPoints: { studio: join(sources, "main.tsx") },
    outdir: directory,
    bundle: true,
    minify: true,
    platform: "browser",
    format: "esm",
    target: "es2022",
    jsx: "automatic",
    jsxImportSource: "preact",
    legalComments: "none",
    logLevel: "silent",
    metafile: true,
    write: false,
  });
  for (const { path, contents } of outputFiles) writeDurably(path, contents);
  return [...Object.keys(metafile.inputs), "package.json"];
}

function isOutdated(stamp: string): boolean {
  const { inputs, hash } = JSON.parse(readFileSync(stamp, "utf8")) as { inputs: string[]; hash: string };
  return inputs.some((file) => !existsSync(join(home, file))) || hashOf(inputs) !== hash;
}

/** Of files named as seen from this package. */
function hashOf(files: readonly string[]): string {
  const hash = createHash("sha256");
  for (const file of files) hash.update(`${file}\n`).update(readFileSync(join(home, file)));
  return hash.digest("hex");
}
