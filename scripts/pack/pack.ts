import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { buildAll } from "./build.ts";

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

/** Builds every package and writes its tarball into the folder. */
export async function packAll(folder: string): Promise<Tarball[]> {
  const destination = resolve(folder);
  mkdirSync(destination, { recursive: true });
  const stage = mkdtempSync(join(tmpdir(), "coppice-pack-"));
  try {
    const built = await buildAll(stage);
    return npmPack(built, destination, stage);
  } finally {
    rmSync(stage, { recursive: true, force: true });
  }
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
