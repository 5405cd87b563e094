import { hostname } from "node:os";
import { isAbsolute, relative } from "node:path";
import { shellWord } from "@coppice/engine/child-process";
import { runningProcess } from "@coppice/engine/records";
import { UsageError } from "@coppice/engine/usage-error";
import { type ActionName, type ActionRow, actionNames, type RunDetail } from "../wire.ts";
import type { Jobs } from "./jobs.ts";

/** What can be done with a run as it stands, each with the exact command it stands for. */
export function actionsFor(
  run: Pick<RunDetail, "state" | "process" | "directory">,
  commandName: string,
): readonly ActionRow[] {
  const typed = (words: readonly string[]) => `${commandName} ${words.map(shellWord).join(" ")}`;
  const can: Readonly<Record<ActionName, string | undefined>> = {
    stop: run.process?.host === hostname() ? `kill -INT ${run.process.pid}` : undefined,
    resume: ["interrupted", "stopped", "failed", "cut off"].includes(run.state)
      ? typed(wordsOf("resume", run.directory))
      : undefined,
    verify: run.state === "done" ? typed(wordsOf("verify", run.directory)) : undefined,
  };
  return actionNames.flatMap((name) => (can[name] === undefined ? [] : [{ name, command: can[name] }]));
}

/** Does one of them. A run is stopped as Ctrl-C stops it; the others are commands of their own. */
export function act(name: ActionName, run: Pick<RunDetail, "state" | "process" | "directory">, jobs: Jobs): object {
  if (!actionsFor(run, "").some((action) => action.name === name)) {
    throw new UsageError(`a run that is ${run.state} cannot be ${past[name]}`);
  }
  if (name !== "stop") return jobs.start(wordsOf(name, run.directory));
  const owner = runningProcess(run.directory);
  if (owner?.host !== hostname()) throw new UsageError("nobody on this machine is working on this run any more");
  process.kill(owner.pid, "SIGINT");
  return { stopped: owner.pid };
}

const past: Readonly<Record<ActionName, string>> = { stop: "stopped", resume: "resumed", verify: "verified" };

/** A directory is named by its path, which cannot be taken for an option. */
function wordsOf(command: string, directory: string): readonly string[] {
  return [command, seenFromHere(directory)];
}

/** A path as it is typed here: short where it is below this folder and cannot be taken for an id or an option. */
export function seenFromHere(path: string): string {
  const short = relative(process.cwd(), path);
  const isBelow = /[/\\]/.test(short) && !/^(-|\.\.)/.test(short) && !isAbsolute(short);
  return isBelow ? short : path;
}
