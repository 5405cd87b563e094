import { join } from "node:path";
import { writeDurably } from "@coppice/engine/files";
import { PAGE_NAME } from "@coppice/engine/session";

/** Writes the page of a run again, from its directory as it is now; returns its path. */
export async function writePage(directory: string): Promise<string> {
  const { exportRun } = await import("@coppice/studio/export");
  const path = join(directory, PAGE_NAME);
  writeDurably(path, await exportRun(directory));
  return path;
}
