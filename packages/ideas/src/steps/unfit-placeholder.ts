import type { TreeConfig } from "../settings.ts";
import { type Placeholder, placeholdersIn } from "./placeholders.ts";
import { stepsOf } from "./steps-of.ts";

/** What the root's own measurement does not have. */
const NOT_AT_ROOT: readonly Placeholder[] = ["baseline", "idea", "ideaName"];

/** A placeholder that would have no value in this tree, in one line; undefined when there is none. */
export function unfitPlaceholder(config: TreeConfig, sweepConfigLimit: number | null): string | undefined {
  if (config.baseline === null) {
    const name = placeholdersIn(config.steps.sweep.command).find((each) => NOT_AT_ROOT.includes(each));
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
