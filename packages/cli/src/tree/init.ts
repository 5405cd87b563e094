import { closeSync, openSync, writeSync } from "node:fs";
import { dirname } from "node:path";
import { UsageError } from "@coppice/engine/usage-error";
import { initText } from "@coppice/ideas";
import { print, printJson } from "../print.ts";

/** `coppice tree init`: never writes over a file. */
export function initTree(file: string, { json }: { readonly json?: boolean }): void {
  let fd: number;
  try {
    fd = openSync(file, "wx");
  } catch (error) {
    const { code = "", message } = error as NodeJS.ErrnoException;
    if (code === "EEXIST") throw new UsageError(`${file} exists: it is left as it is`);
    throw new UsageError(
      `cannot write ${file}: ${code === "ENOENT" ? `there is no folder ${dirname(file)}` : message}`,
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
