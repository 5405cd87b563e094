// Grows a tree on a disk of its own that is full at several points: node full-disk-entry.ts <disk> <times>
// Prints what came of each, as JSON lines.
import { existsSync, mkdirSync, rmSync, statfsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { growReal, realSettings, runRootOf } from "./real-tree.ts";
import { SmallRepository } from "./small-repository.ts";
import { step } from "./small-run.ts";

/** What a tree came to whose disk was full. */
export interface FullDisk {
  readonly roomBytes: number;
  /** How it ended when there was no room, and how when there was again. */
  readonly full: string;
  readonly digest: string | null;
}

const [, , disk, times] = process.argv;
const filler = join(disk, "filler");
const free = () => statfsSync(disk).bavail * statfsSync(disk).bsize;
// Everything a tree writes is on this disk: the repository, the run, and what steps put aside.
process.env.TMPDIR = disk;

/** A tree of two depths; what steps write takes some room too. */
function newTree(id: string) {
  const repository = new SmallRepository({ "value.txt": "1\n" });
  const ideas = { "a.md": "2\n", "b.md": "3\n" };
  const implement = step("cp {idea} value.txt && head -c 20000 /dev/zero > {output}/kept");
  const shape = { repeats: 2, maxRepeats: 2 };
  return {
    repository,
    settings: realSettings(repository, ideas, { id, steps: { implement }, shape, work: { maxDepth: 2 } }),
  };
}

const calm = newTree("tree");
const before = free();
const { manifest } = await growReal(calm.repository, calm.settings);
const taken = before - free();
calm.repository[Symbol.dispose]();
console.log(JSON.stringify({ roomBytes: taken, full: "", digest: manifest.state.digest } satisfies FullDisk));

for (let time = 0; time < Number(times); time++) {
  const { repository, settings } = newTree("tree");
  const roomBytes = Math.floor((taken * (time + 0.5)) / Number(times));
  mkdirSync(join(repository.folder, "runs"));
  writeFileSync(filler, Buffer.alloc(Math.max(0, free() - roomBytes), 1));
  const full = await ended(() => growReal(repository, settings));
  rmSync(filler);
  const resume = existsSync(join(runRootOf(repository, settings), "run.json"));
  const { manifest } = await growReal(repository, settings, { resume });
  console.log(JSON.stringify({ roomBytes, full, digest: manifest.state.digest } satisfies FullDisk));
  repository[Symbol.dispose]();
}

async function ended(work: () => ReturnType<typeof growReal>): Promise<string> {
  try {
    const { end } = await work();
    return end.state === "done" ? "done" : `${end.state}: ${end.message}`;
  } catch (error) {
    return error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  }
}
