import { poolKinds } from "@coppice/engine/pools";
import { conversationModes, dedupeScopes } from "@coppice/ideas/settings";
import { type Command, InvalidArgumentError } from "commander";
import { wholeNumber } from "../options/arguments.ts";
import { addOptions, type OptionRow } from "../options/option-table.ts";
import { addJsonOption, addPlaceOption, type WorkOptions } from "../options/run-options.ts";

/** What shapes a tree and how it is worked on, as typed (see `addTreeFlags`); what is absent comes from the configuration. */
export interface TreeFlags {
  readonly config?: string;
  readonly rerunEvals?: boolean;
  readonly forceRegenerateIdeas?: boolean;
  readonly runDir: string;
  readonly quiet?: boolean;
  readonly json?: boolean;
}

/** Node's timers go no further than 24 days. */
const MOST_SECONDS = 2_000_000;

/** Adds the flags of commands that grow a tree. */
export function addTreeFlags(command: Command): Command {
  return addPlaceOption(addJsonOption(addOptions(command, rows())));
}

function rows(): readonly OptionRow[] {
  const count = { read: wholeNumber(1, 1_000_000) };
  const workers = { read: wholeNumber(1, 1024) };
  return [
    ["--config <file>", "the tree's configuration (coppice.tree.yaml)"],
    ["--ideas-per-node <n>", "ideas tried on each node (7)", count],
    ["--max-depth <n>", "depths to grow (3)", count],
    ["--beam-width <n>", "nodes promoted per depth (1)", count],
    ["--max-parallel-evals <n>", "evaluations at once (1)", workers],
    ["--max-parallel-per-node <n>", "evaluations at once on one node (no limit)", workers],
    [
      "--parallel-backend <kind>",
      "where evaluations run (processes)",
      { choices: poolKinds().map(({ kind }) => kind) },
    ],
    ["--eval-retries <n>", "how many times a failed evaluation is tried again (0)", { read: wholeNumber(0, 1000) }],
    ["--eval-timeout-seconds <n>", "time limit of one evaluation (no limit)", { read: seconds }],
    ["--strict-fail-depth", "stop at the first evaluation that fails for good"],
    ["--no-strict-fail-depth", "continue with the other evaluations (the default)"],
    [
      "--on-strict-stop <what>",
      "let running evaluations finish, or end them (drain)",
      { choices: ["drain", "cancel"] },
    ],
    ["--promote-on-stop", "report the best so far as provisional nodes after a spent budget or a strict stop"],
    ["--no-promote-on-stop", "only rank the best so far (by default they are reported)"],
    ["--sweep-config-limit <n>", "configurations every sweep must measure (no limit)", count],
    [
      "--repeats <n>",
      "how many times everything is measured (auto: once, or 5 times if measuring the root again gives a different result)",
      { read: repeats },
    ],
    [
      "--max-repeats <n>",
      "the most times, where that many do not settle it (4 × repeats)",
      { read: wholeNumber(1, 10_000) },
    ],
    ["--least-gain <n>", "promote nothing that gains less, as a share of its parent (no limit)", { read: amount }],
    ["--max-total-idea-evals <n>", "evaluations in all (no limit)", count],
    [
      "--max-wall-seconds <n>",
      "start nothing new after this time, counted over all sessions (no limit)",
      { read: seconds },
    ],
    ["--max-money <n>", "start nothing new once steps have spent this much (no limit)", { read: amount }],
    ["--max-tokens <n>", "start nothing new once steps have used this many tokens (no limit)", { read: amount }],
    ["--dedupe-scope <scope>", "whose ideas must not be tried again (node_plus_ancestors)", { choices: dedupeScopes }],
    ["--idea-conversation-mode <mode>", "how an idea generator remembers (auto)", { choices: conversationModes }],
    [
      "--idea-history-window-turns <n>",
      "how many of its last turns it is shown; -1 for all, 0 for none (12)",
      { read: wholeNumber(-1, 1_000_000) },
    ],
    [
      "--idea-history-max-chars <n>",
      "how many characters of them; -1 for no limit, 0 for none (20000)",
      { read: wholeNumber(-1, 1_000_000_000) },
    ],
    ["--keep-rejected-worktrees", "keep worktrees of candidates that were not promoted"],
    ["--keep-failed-artifacts", "keep worktrees of evaluations that failed"],
    [
      "--lock-stale-seconds <n>",
      "how long a run on another machine keeps its lock without a heartbeat (30)",
      // A lock is renewed every two seconds: three times missed is the least that says anything.
      { read: wholeNumber(6, MOST_SECONDS) },
    ],
    ["--one-depth", "grow one depth, then stop"],
    ["--quiet", "plain lines instead of the live display", { onBy: "COPPICE_QUIET" }],
  ];
}

/** How the session is shown; what it works on is for the tree to say. */
export function workOptions({ runDir, quiet, json }: TreeFlags): WorkOptions {
  return { workers: "auto", runDir, quiet: quiet === true, json: json === true };
}

/** How often: a number, or as the root shows. */
function repeats(text: string): number | "auto" {
  return text === "auto" ? text : wholeNumber(1, 1000)(text);
}

function seconds(text: string): number {
  const value = amount(text);
  if (value > 0 && value <= MOST_SECONDS) return value;
  throw new InvalidArgumentError(`It must be a number of seconds above 0, at most ${MOST_SECONDS}.`);
}

function amount(text: string): number {
  const value = /^\d+(\.\d+)?$/.test(text) ? Number(text) : Number.NaN;
  if (Number.isFinite(value)) return value;
  throw new InvalidArgumentError("It must be a number such as 12 or 0.5.");
}
