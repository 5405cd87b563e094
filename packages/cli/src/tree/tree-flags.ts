import { poolKinds } from "@coppice/engine/pools";
import { conversationModes, dedupeScopes } from "@coppice/ideas/settings";
import { type Command, InvalidArgumentError, Option } from "commander";
import { wholeNumber } from "../options/arguments.ts";
import { addJsonOption, addPlaceOption, switchOption, type WorkOptions } from "../options/run-options.ts";

/** What shapes a tree and how it is worked on, as typed (see `addTreeFlags`); what is absent comes from the configuration. */
export interface TreeFlags {
  readonly config?: string;
  readonly rerunEvals?: boolean;
  readonly forceRegenerateIdeas?: boolean;
  readonly runDir: string;
  readonly quiet?: boolean;
  readonly json?: boolean;
}

const count = wholeNumber({ least: 1, most: 1_000_000 });
const workers = wholeNumber({ least: 1, most: 1024 });

/** Node's timers go no further than 24 days. */
const MOST_SECONDS = 2_000_000;

/** Adds the flags of commands that grow a tree. */
export function addTreeFlags(command: Command): Command {
  command
    .option("--config <file>", "the tree's configuration (coppice.tree.yaml)")
    .option("--ideas-per-node <n>", "ideas tried on each node (7)", count)
    .option("--max-depth <n>", "depths to grow (3)", count)
    .option("--beam-width <n>", "nodes promoted per depth (1)", count)
    .option("--max-parallel-evals <n>", "evaluations at once (1)", workers)
    .option("--max-parallel-per-node <n>", "evaluations at once on one node (no limit)", workers)
    .addOption(
      new Option("--parallel-backend <kind>", "where evaluations run (processes)").choices(
        poolKinds().map(({ kind }) => kind),
      ),
    )
    .option(
      "--eval-retries <n>",
      "how many times a failed evaluation is tried again (0)",
      wholeNumber({ least: 0, most: 1000 }),
    )
    .option("--eval-timeout-seconds <n>", "time limit of one evaluation (no limit)", seconds)
    .option("--strict-fail-depth", "stop at the first evaluation that fails for good")
    .option("--no-strict-fail-depth", "continue with the other evaluations (the default)")
    .addOption(
      new Option("--on-strict-stop <what>", "let running evaluations finish, or end them (drain)").choices([
        "drain",
        "cancel",
      ]),
    )
    .option("--promote-on-stop", "report the best so far as provisional nodes after a spent budget or a strict stop")
    .option("--no-promote-on-stop", "only rank the best so far (by default they are reported)")
    .option("--sweep-config-limit <n>", "configurations every sweep must measure (no limit)", count)
    .option(
      "--repeats <n>",
      "how often everything is measured (auto: once, or 5 times if the root comes out different the second time)",
      repeats,
    )
    .option(
      "--max-repeats <n>",
      "how often at most where that does not tell (4 × repeats)",
      wholeNumber({ least: 1, most: 10_000 }),
    )
    .option("--least-gain <n>", "promote nothing that gains less, as a share of its parent (no limit)", amount)
    .option("--max-total-idea-evals <n>", "evaluations in all (no limit)", count)
    .option(
      "--max-wall-seconds <n>",
      "start nothing new after this time, counted over all sessions (no limit)",
      seconds,
    )
    .option("--max-money <n>", "start nothing new once steps have spent this much (no limit)", amount)
    .option("--max-tokens <n>", "start nothing new once steps have used this many tokens (no limit)", amount)
    .addOption(
      new Option("--dedupe-scope <scope>", "whose ideas must not be tried again (node_plus_ancestors)").choices(
        dedupeScopes,
      ),
    )
    .addOption(
      new Option("--idea-conversation-mode <mode>", "how an idea generator remembers (auto)").choices(
        conversationModes,
      ),
    )
    .option(
      "--idea-history-window-turns <n>",
      "how many of its last turns it is shown; -1 for all, 0 for none (12)",
      wholeNumber({ least: -1, most: 1_000_000 }),
    )
    .option(
      "--idea-history-max-chars <n>",
      "how many characters of them; -1 for no limit, 0 for none (20000)",
      wholeNumber({ least: -1, most: 1_000_000_000 }),
    )
    .option("--keep-rejected-worktrees", "keep worktrees of candidates that were not promoted")
    .option("--keep-failed-artifacts", "keep worktrees of evaluations that failed")
    .option(
      "--lock-stale-seconds <n>",
      "how long a run on another machine keeps its lock without a heartbeat (30)",
      // A lock is renewed every two seconds: three times missed is the least that says anything.
      wholeNumber({ least: 6, most: MOST_SECONDS }),
    )
    .option("--one-depth", "grow one depth, then stop")
    .addOption(switchOption("--quiet", "plain lines instead of the live display", "COPPICE_QUIET"));
  return addPlaceOption(addJsonOption(command));
}

/** How the session is shown; what it works on is for the tree to say. */
export function workOptions({ runDir, quiet, json }: TreeFlags): WorkOptions {
  return { workers: "auto", runDir, quiet: quiet === true, json: json === true };
}

/** How often: a number, or as the root shows. */
function repeats(text: string): number | "auto" {
  return text === "auto" ? text : wholeNumber({ least: 1, most: 1000 })(text);
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
