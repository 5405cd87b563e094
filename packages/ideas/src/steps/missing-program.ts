import { spawnSync } from "node:child_process";
import type { StepConfig, TreeConfig } from "../settings.ts";
import { stepsOf } from "./steps-of.ts";

/**
 * The first step whose program cannot be found, in one line; undefined when all can. Only plain names and paths are
 * looked for: what a shell line does after its first word, or makes of a placeholder, is seen when it runs.
 */
export function missingProgram(config: TreeConfig, directory: string): string | undefined {
  for (const [field, { command }] of stepsOf(config)) {
    const program = programOf(command);
    if (program !== undefined && !isThere(program, directory)) return `${field}: command not found: ${program}`;
  }
  return undefined;
}

function programOf(command: StepConfig["command"]): string | undefined {
  if (typeof command !== "string") return command[0]?.includes("{") === true ? undefined : command[0];
  return /^\s*([\w./+-]+)(?=\s|$)/.exec(command)?.[1];
}

/** As the shell would look for it, its own words included. */
function isThere(program: string, directory: string): boolean {
  const { status } = spawnSync("/bin/sh", ["-c", 'command -v -- "$1"', "sh", program], {
    cwd: directory,
    stdio: "ignore",
  });
  return status === 0;
}
