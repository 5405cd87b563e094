import { closeSync, openSync, writeSync } from "node:fs";
import { UsageError } from "@coppice/engine/usage-error";
import { initText } from "@coppice/ideas";
import { print, printJson } from "../print.ts";

/** `coppice tree init`: never writes over a file. */
export function initTree(file: string, { json }: { readonly json?: boolean }): void {
  let fd: number;
  try {
    fd = openSync(file, "wx");
  } catch (error) {
    const exists = (error as NodeJS.ErrnoException).code === "EEXIST";
    throw new UsageError(
      exists ? `${file} exists: it is left as it is` : `cannot write ${file}: ${(error as Error).message}`,
    );
  }
  try {
    writeSync(fd, initText);
  } finally {
    closeSync(fd);
  }
  if (json === true) printJson({ file });
  else print(`wrote ${file}: name your steps there, then "coppice tree run"\n`);
}
