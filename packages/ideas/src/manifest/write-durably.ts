import { closeSync, fsyncSync, openSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";

/** All or nothing, also after a power cut: a draft of its own name, synced, then renamed into place. */
export function writeDurably(path: string, text: string): void {
  const draft = `${path}.${crypto.randomUUID()}.draft`;
  try {
    const fd = openSync(draft, "wx");
    try {
      writeFileSync(fd, text);
      fsyncSync(fd);
    } finally {
      closeSync(fd);
    }
    renameSync(draft, path);
  } catch (error) {
    rmSync(draft, { force: true });
    throw error;
  }
  const directory = openSync(dirname(path), "r");
  try {
    fsyncSync(directory);
  } finally {
    closeSync(directory);
  }
}
