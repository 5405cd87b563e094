import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { buildAll } from "./build.ts";
import type { Manifest } from "./published-manifest.ts";

/** A tarball as npm describes it. */
export interface Tarball {
  readonly name: string;
  readonly version: string;
  readonly file: string;
  /** Bytes of the tarball, and of what is in it. */
  readonly size: number;
  readonly unpackedSize: number;
  readonly files: readonly string[];
}

/** Builds every package and writes its tarball into the folder. A package comes after those it depends on. */
export async function packAll(folder: string): Promise<Tarball[]> {
  const destination = resolve(folder);
  mkdirSync(destination, { recursive: true });
  const stage = mkdtempSync(join(tmpdir(), "coppice-pack-"));
  try {
    const built = await buildAll(stage);
    return npmPack(inOrder(built), destination, stage);
  } finally {
    rmSync(stage, { recursive: true, force: true });
  }
}

/** The folders of packages, each after those of the packages it depends on. */
function inOrder(folders: readonly string[]): string[] {
  const waiting = new Map(
    folders.map((folder) => {
      const manifest = JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as Manifest;
      return [manifest.name, { folder, wants: Object.keys(manifest.dependencies ?? {}) }] as const;
    }),
  );
  const ordered: string[] = [];
  while (waiting.size > 0) {
    const next = [...waiting].find(([, { wants }]) => !wants.some((name) => waiting.has(name)));
    if (next === undefined) throw new Error(`these packages depend on each other: ${[...waiting.keys()].join(", ")}`);
    ordered.push(next[1].folder);
    waiting.delete(next[0]);
  }
  return ordered;
}

interface NpmAnswer {
  readonly name: string;
  readonly version: string;
  readonly filename: string;
  readonly size: number;
  readonly unpackedSize: number;
  readonly files: readonly { readonly path: string }[];
}

function npmPack(built: readonly string[], destination: string, cwd: string): Tarball[] {
  const args = ["pack", "--json", "--ignore-scripts", "--loglevel=error", "--pack-destination", destination, ...built];
  const done = spawnSync("npm", args, { cwd, encoding: "utf8", maxBuffer: 64 * 1024 * 1024 });
  if (done.status !== 0) throw new Error(`npm pack failed: ${done.stderr}`);
  return (JSON.parse(done.stdout) as NpmAnswer[]).map(({ name, version, filename, size, unpackedSize, files }) => ({
    name,
    version,
    file: join(destination, filename),
    size,
    unpackedSize,
    files: files.map(({ path }) => path),
  }));
}
