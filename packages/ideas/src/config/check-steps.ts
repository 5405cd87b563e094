import { spawnSync } from "node:child_process";
import type { StepConfig, TreeConfig, TreeShape } from "../settings.ts";
import { type Placeholder, placeholdersIn } from "../steps/placeholders.ts";

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

/** What the root's own measurement does not have. */
const NOT_AT_ROOT: readonly Placeholder[] = ["baseline", "idea", "ideaName"];

function ofAnIdea({ steps: { sweep } }: TreeConfig): Placeholder | undefined {
  return placeholdersIn(sweep.command).find((each) => NOT_AT_ROOT.includes(each));
}

/** Whether a node can be measured as its candidates are, and the two be compared without asking anybody. */
export function canMeasureNodes(config: TreeConfig): boolean {
  return config.score.kind === "columns" && ofAnIdea(config) === undefined;
}

/** Whether the sweep is told which repeat it is: then a repeat is the same for all that are compared, its seed say. */
export function sharesRepeats({ steps: { sweep } }: TreeConfig): boolean {
  const text = typeof sweep.command === "string" ? sweep.command : sweep.command.join(" ");
  return placeholdersIn(sweep.command).includes("repeat") || text.includes("COPPICE_TREE_REPEAT");
}

/** A placeholder that would have no value in this tree, in one line; undefined when there is none. */
export function unfitPlaceholder(
  config: TreeConfig,
  { sweepConfigLimit, repeats }: Pick<TreeShape, "sweepConfigLimit" | "repeats">,
): string | undefined {
  const again = repeats !== "auto" && repeats > 1;
  if (config.baseline === null || again) {
    const name = ofAnIdea(config);
    if (name !== undefined && again) {
      return `steps.sweep: {${name}} has no value when a node is measured again: leave it out, or search.repeats`;
    }
    if (name !== undefined) {
      return `steps.sweep: {${name}} has no value when the root is measured: name a file with the root's results in "baseline"`;
    }
  }
  if (sweepConfigLimit !== null) return undefined;
  const field = stepsOf(config).find(([, { command }]) => placeholdersIn(command).includes("limit"))?.[0];
  return field === undefined
    ? undefined
    : `${field}: {limit} needs a limit: set search.sweep_config_limit or --sweep-config-limit`;
}

/** Every step of a configuration by the name of its field. */
function stepsOf({ ideas, steps, score }: TreeConfig): readonly (readonly [string, StepConfig])[] {
  const all: readonly (readonly [string, StepConfig | null])[] = [
    ["ideas.command", ideas.kind === "command" ? ideas.step : null],
    ...Object.entries(steps).map(([name, step]) => [`steps.${name}`, step] as const),
    ["score.command", score.kind === "command" ? score.step : null],
  ];
  return all.flatMap(([field, step]) => (step === null ? [] : [[field, step] as const]));
}
