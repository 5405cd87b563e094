import { createHash } from "node:crypto";
import { existsSync, globSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

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
    const hash = sourcesHash();
    const stamp = join(built, "sources.txt");
    if (!existsSync(stamp) || readFileSync(stamp, "utf8") !== hash) {
      await buildPage(built);
      writeFileSync(stamp, hash);
    }
  }
  return { script: readFileSync(join(built, "studio.js")), style: readFileSync(join(built, "studio.css")) };
}

/** Bundles the page into a directory: one script, one style sheet, nothing from elsewhere. */
export async function buildPage(directory: string): Promise<void> {
  const { build } = await import("esbuild");
  mkdirSync(directory, { recursive: true });
  await build({
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
    logLevel: "warning",
  });
}

function sourcesHash(): string {
  const hash = createHash("sha256");
  const files = globSync("**/*.{ts,tsx,css}", { cwd: sources }).sort();
  for (const file of [...files.map((name) => join("page", name)), "package.json"]) {
    hash.update(`${file}\n`).update(readFileSync(join(home, file)));
  }
  return hash.digest("hex");
}
