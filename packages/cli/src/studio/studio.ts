import { statSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { writeDurably } from "@coppice/engine/files";
import { findRun } from "@coppice/engine/records";
import { UsageError } from "@coppice/engine/usage-error";
import { openStudio } from "@coppice/studio";
import { exportRun } from "@coppice/studio/export";
import { checkPage } from "../options/output-file.ts";
import { notice, print } from "../print.ts";
import { commandName } from "../session/resume-command.ts";
import { endingSignals } from "../session/standard-streams.ts";
import type { StudioFlags } from "./register.ts";

const PROGRAM = fileURLToPath(new URL("../../bin/coppice.js", import.meta.url));

/** `coppice studio`: the page of all runs, or one run as a file. */
export async function studio(folders: readonly string[], flags: StudioFlags): Promise<void> {
  const { port, host, auth } = flags;
  if (flags.export === undefined) await showStudio(folders, flags);
  else if (port !== undefined || host !== "127.0.0.1" || !auth)
    throw new UsageError(
      `--export ${flags.export}: not with --port, --host or --no-auth; a file is written, and no page opened`,
    );
  else await writeExport(flags.export, folders, flags.runDir);
}

async function writeExport(file: string, [run, ...more]: readonly string[], runDir: string): Promise<void> {
  if (run === undefined || more.length > 0) {
    throw new UsageError(`--export ${file}: name one run after it, such as coppice studio --export ${file} 1`);
  }
  checkPage("--export", file);
  writeDurably(file, await exportRun(findRun(run, runDir)));
  print(`${file}\n`);
}

/** Serves the page until it is interrupted. */
async function showStudio(folders: readonly string[], { runDir, port, host, auth }: StudioFlags): Promise<void> {
  const isFolder = (path: string) => path !== "" && statSync(path, { throwIfNoEntry: false })?.isDirectory();
  const missing =
    folders.find((folder) => isFolder(folder) !== true) ?? (isFolder(runDir) === false ? runDir : undefined);
  if (missing !== undefined)
    throw new UsageError(`${missing || '""'} is not a folder: name folders of runs, such as .coppice/runs`);
  const studio = await openStudio({
    places: [...new Set([runDir, ...folders])],
    host,
    auth,
    ...(port === undefined ? {} : { port }),
    command: { program: process.execPath, args: [PROGRAM], name: commandName(process.env) },
  });
  if (isFolder(runDir) === undefined) notice(`${runDir} does not exist yet: its runs are shown once there are some`);
  print(`${studio.url}\n`);
  if (host !== "127.0.0.1")
    notice(`whoever has this address, token included, can see these runs, stop them and start others`);
  notice("open it in a browser; Ctrl-C ends the studio, not the runs");
  await new Promise<void>((ended) => {
    for (const signal of endingSignals) process.once(signal, () => ended());
  });
  await studio.close();
}
