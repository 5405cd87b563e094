import { homedir, tmpdir } from "node:os";
import { join } from "node:path";
import { counted } from "@coppice/engine/figures";
import { statIfThere } from "@coppice/engine/files";
import { runIds } from "@coppice/engine/records";
import { meetingPlace, placesFor, settingsFiles } from "@coppice/hooks";
import { type Finding, type Place, placeFinding } from "@coppice/workbench/machine";

/** Every place Coppice writes to from here: how much is there, whose it is, whether it can be written. */
export async function placeFindings(runDir: string, env: NodeJS.ProcessEnv): Promise<Finding[]> {
  const compiled = env.NODE_COMPILE_CACHE;
  const places: Place[] = [
    { name: "runs", path: runDir, needed: true, holds: runsText(runDir) },
    {
      name: "cache",
      path: env.COPPICE_CACHE ?? join(".coppice", "cache.sqlite"),
      isFile: true,
      holds: "evaluations kept with --cache; may be deleted",
    },
    { name: "digests", path: join(".coppice", "digests"), holds: "coppice digest; may be deleted" },
    { name: "hook state", path: join(".coppice", "hooks"), holds: "traces and times of hooks; may be deleted" },
    ...hookSettings(env),
    {
      name: "cluster",
      path: join(env.XDG_CACHE_HOME ?? join(homedir(), ".cache"), "coppice", "cluster"),
      holds: "what coppice worker has fetched; may be deleted",
    },
    { name: "hook daemon", path: meetingPlace(env).directory, holds: "its socket; coppice hooks serve makes it" },
    ...(compiled === undefined
      ? []
      : [{ name: "compiled", path: compiled, holds: "compiled modules for faster starts; may be deleted" }]),
    { name: "temporary", path: tmpdir(), needed: true, holds: "files that last as long as a command" },
  ];
  return places.map(placeFinding);
}

function runsText(runDir: string): string {
  try {
    const count = runIds(runDir).length;
    return `${counted(count, "run")}; delete the folders of those you do not need`;
  } catch {
    return "runs"; // what is wrong with it is said beside
  }
}

/** Settings files of a coding agent that hold hooks, whether or not Coppice has put its entry there. */
function hookSettings(env: NodeJS.ProcessEnv): Place[] {
  // An agent's project that is gone is not looked for.
  const { CLAUDE_PROJECT_DIR: project, ...rest } = env;
  const there = project !== undefined && statIfThere(project)?.isDirectory() === true;
  return settingsFiles(placesFor(undefined, there ? env : rest))
    .filter(({ file }) => statIfThere(file) !== undefined)
    .map(({ file, scope, store }) => ({
      name: `hooks (${scope})`,
      path: file,
      isFile: true,
      holds: store
        ? "hooks that coppice hooks run stands for; coppice hooks uninstall puts them back"
        : "an agent's settings",
    }));
}
