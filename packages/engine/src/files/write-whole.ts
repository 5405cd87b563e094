import { closeSync, fchmodSync, fsyncSync, openSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";

/** All or nothing: readers see the old content or the new, never a part. `mode` is set as given, whatever the umask. */
export function writeAtomically(path: string, content: string | Uint8Array, mode?: number): void {
  replace(path, content, mode, () => {});
}

/** All or nothing, also after a power cut: the content is on the disk before the name is, and the name before we go on. */
export function writeDurably(path: string, content: string | Uint8Array, mode?: number): void {
  replace(path, content, mode, fsyncSync);
  const directory = openSync(dirname(path), "r");
  try {
    fsyncSync(directory);
  } finally {
    closeSync(directory);
  }
}

function replace(
  path: string,
  content: string | Uint8Array,
  mode: number | undefined,
  settle: (fd: number) => void,
): void {
  // A name of its own: two threads of this process may write the same file.
  const draft = `${path}.${process.pid}-${crypto.randomUUID()}.draft`;
  try {
    // Narrow from the start where a mode is asked for: a secret is never readable by others, not even as a draft.
    const fd = openSync(draft, "wx", mode === undefined ? 0o666 : 0o600);
    try {
      writeFileSync(fd, content);
      if (mode !== undefined) fchmodSync(fd, mode);
      settle(fd);
    } finally {
      closeSync(fd);
    }
    renameSync(draft, path);
  } catch (error) {
    rmSync(draft, { force: true });
    throw error;
  }
}
