import { closeSync, fchmodSync, fsyncSync, openSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { fileModeIn } from "./file-mode.ts";
import { syncPath } from "./sync-path.ts";

/**
 * All or nothing, also after a power cut: readers see the old content or the new, never a part. The content is on the disk
 * before the name is, and the name before we go on. `mode` is set as given, whatever the umask; without
 * one it follows from the directory.
 */
export function writeDurably(path: string, content: string | Uint8Array, mode?: number): void {
  // A name of its own: two threads of this process may write the same file.
  const draft = `${path}.${process.pid}-${crypto.randomUUID()}.draft`;
  try {
    // Narrow from the start where a mode is asked for: a secret is never readable by others, not even as a draft.
    const fd = openSync(draft, "wx", mode === undefined ? fileModeIn(dirname(path)) : 0o600);
    try {
      writeFileSync(fd, content);
      if (mode !== undefined) fchmodSync(fd, mode);
      fsyncSync(fd);
    } finally {
      closeSync(fd);
    }
    renameSync(draft, path);
  } catch (error) {
    rmSync(draft, { force: true });
    throw error;
  }
  syncPath(dirname(path));
}
