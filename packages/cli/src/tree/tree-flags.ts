import { poolKinds } from "@coppice/engine/pools";
import type { ConversationMode, DedupeScope, TreeChoices } from "@coppice/ideas";
import { type Command, InvalidArgumentError, Option } from "commander";
import { switchOption } from "../options/switch.ts";
import { wholeNumber } from "../options/whole-number.ts";
import { addJsonOption, addPlaceOption } from "../options/work-options.ts";

/** What shapes a tree and how it is worked on, as typed; what is absent comes from the configuration. */
export interface TreeFlags {
  readonly config?: string;
  readonly ideasPerNode?: number;
  readonly maxDepth?: number;
  readonly beamWidth?: number;
  readonly maxParallelEvals?: number;
  readonly maxParallelPerNode?: number;
  readonly parallelBackend?: string;
  readonly evalRetries?: number;
  readonly evalTimeoutSeconds?: number;
  readonly strictFailDepth?: boolean;
  readonly onStrictStop?: "drain" | "cancel";
  readonly promoteOnStop?: boolean;
  readonly sweepConfigLimit?: number;
  readonly maxTotalIdeaEvals?: number;
  readonly maxWallSeconds?: number;
  readonly maxMoney?: number;
  readonly maxTokens?: number;
  readonly dedupeScope?: DedupeScope;
  readonly ideaConversationMode?: ConversationMode;
  readonly ideaHistoryWindowTurns?: number;
  readonly ideaHistoryMaxChars?: number;
  readonly keepRejectedWorktrees?: boolean;
  readonly keepFailedArtifacts?: boolean;
  readonly lockStaleSeconds?: number;
  readonly rerunEvals?: boolean;
  readonly forceRegenerateIdeas?: boolean;
  readonly dryRun?: boolean;
  readonly oneDepth?: boolean;
  readonly runDir: string;
  readonly quiet?: boolean;
  readonly json?: boolean;
}

const scopes: readonly DedupeScope[] = ["node_plus_ancestors", "accepted", "global", "none"];
const modes: readonly ConversationMode[] = ["auto", "native", "replay"];
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
    .option("--eval-retries <n>", "attempts after the first that failed (0)", wholeNumber({ least: 0, most: 1000 }))
    .option("--eval-timeout-seconds <n>", "limit of one evaluation (none)", seconds)
    .option("--strict-fail-depth", "stop at the first evaluation that fails for good")
    .option("--no-strict-fail-depth", "go on without it (the default)")
    .addOption(
      new Option("--on-strict-stop <what>", "let running evaluations finish, or end them (drain)").choices([
        "drain",
        "cancel",
      ]),
    )
    .option("--promote-on-stop", "report the best so far as provisional nodes after a spent budget or a strict stop")
    .option("--no-promote-on-stop", "only rank them (the default is to report them)")
    .option("--sweep-config-limit <n>", "configurations every sweep must measure (no limit)", count)
    .option("--max-total-idea-evals <n>", "evaluations in all (no limit)", count)
    .option("--max-wall-seconds <n>", "start nothing after this time, all sessions together (no limit)", seconds)
    .option("--max-money <n>", "start nothing after steps have spent this (no limit)", amount)
    .option("--max-tokens <n>", "start nothing after steps have used this many (no limit)", amount)
    .addOption(
      new Option("--dedupe-scope <scope>", "which ideas must not come again (node_plus_ancestors)").choices(scopes),
    )
    .addOption(new Option("--idea-conversation-mode <mode>", "how an idea generator remembers (auto)").choices(modes))
    .option(
      "--idea-history-window-turns <n>",
      "last turns it is given again; -1 for all, 0 for none (12)",
      wholeNumber({ least: -1, most: 1_000_000 }),
    )
    .option(
      "--idea-history-max-chars <n>",
      "characters of them; -1 for no limit, 0 for none (20000)",
      wholeNumber({ least: -1, most: 1_000_000_000 }),
    )
    .option("--keep-rejected-worktrees", "keep candidates that were not promoted")
    .option("--keep-failed-artifacts", "keep worktrees of evaluations that failed")
    .option(
      "--lock-stale-seconds <n>",
      "how long the lock of a run on another machine holds without a heartbeat (30)",
      // A lock is renewed every two seconds: three times missed is the least that says anything.
      wholeNumber({ least: 6, most: MOST_SECONDS }),
    )
    .option("--one-depth", "grow one depth, then stop")
    .addOption(switchOption("--quiet", "plain lines instead of the live display", "COPPICE_QUIET"));
  return addPlaceOption(addJsonOption(command));
}

/** The choices that were typed. */
export function typedChoices(flags: TreeFlags): TreeChoices {
  const { evalTimeoutSeconds, maxWallSeconds, lockStaleSeconds } = flags;
  const { ideasPerNode, maxDepth, beamWidth, maxParallelEvals, maxParallelPerNode, parallelBackend } = flags;
  const { evalRetries, strictFailDepth, onStrictStop, promoteOnStop, sweepConfigLimit, maxTotalIdeaEvals, maxMoney } =
    flags;
  const { maxTokens, dedupeScope, keepRejectedWorktrees, keepFailedArtifacts, dryRun, oneDepth } = flags;
  const { ideaConversationMode, ideaHistoryWindowTurns, ideaHistoryMaxChars } = flags;
  const all = {
    ...{ ideasPerNode, maxDepth, beamWidth, maxParallelEvals, maxParallelPerNode, parallelBackend },
    ...{ evalRetries, strictFailDepth, onStrictStop, promoteOnStop, sweepConfigLimit, maxTotalIdeaEvals, maxMoney },
    ...{ maxTokens, dedupeScope, keepRejectedWorktrees, keepFailedArtifacts, dryRun, oneDepth },
    ...{ ideaConversationMode, ideaHistoryWindowTurns, ideaHistoryMaxChars },
    evalTimeoutMs: evalTimeoutSeconds === undefined ? undefined : evalTimeoutSeconds * 1000,
    maxWallMs: maxWallSeconds === undefined ? undefined : maxWallSeconds * 1000,
    lockStaleMs: lockStaleSeconds === undefined ? undefined : lockStaleSeconds * 1000,
  };
  // Cast: what is undefined is left out, so that the configuration and the defaults fill it in.
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined)) as TreeChoices;
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
