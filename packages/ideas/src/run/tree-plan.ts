import { UsageError } from "@coppice/engine";
import { configDifference } from "../config/config-difference.ts";
import type { TreeChoices } from "../config/tree-file.ts";
import { type Again, TreeSearch } from "../search/tree-search.ts";
import type { TreeConfig, TreeSettings, TreeShape, TreeWork } from "../settings.ts";
import type { TreeJournal } from "./tree-journal.ts";

/** `tree.json` in full: the settings workers read, and what makes the same search again. */
export interface TreePlan extends TreeSettings {
  /** What shapes the tree from a depth on; the first is what the run was started with. */
  readonly shapes: readonly { readonly fromDepth: number; readonly shape: TreeShape }[];
  /** What is done once more in a depth before it is judged, in the order it was asked for. */
  readonly again: readonly { readonly depth: number; readonly what: Again }[];
  /** Depths this session may complete; null for no limit. */
  readonly stopAfterDepths: number | null;
  readonly changes: readonly PlanChange[];
}

/** A change that was made when the run was resumed. */
export interface PlanChange {
  readonly at: number;
  readonly what: string;
  readonly from: unknown;
  readonly to: unknown;
  /** Changes the tree itself from this depth on; null for one that does not. */
  readonly fromDepth: number | null;
}

export function newPlan(
  treeRunId: string,
  rootCommit: string,
  config: TreeConfig,
  shape: TreeShape,
  work: TreeWork,
): TreePlan {
  return {
    treeRunId,
    rootCommit,
    config,
    shape,
    work,
    shapes: [{ fromDepth: 0, shape }],
    again: [],
    stopAfterDepths: work.oneDepth ? 1 : null,
    changes: [],
  };
}

export interface ResumeChoices {
  readonly choices: TreeChoices;
  readonly config?: TreeConfig;
  /** Take search-shaping changes too. */
  readonly force: boolean;
  readonly rerunEvals: boolean;
  /** Ask the generator for other ideas for the depth at hand. */
  readonly regenerateIdeas: boolean;
  readonly at: number;
}

const shaping = [
  "ideasPerNode",
  "beamWidth",
  "sweepConfigLimit",
  "dedupeScope",
  "ideaConversationMode",
  "ideaHistoryWindowTurns",
  "ideaHistoryMaxChars",
] as const;

/** The plan of a resumed run: operational choices are taken, search-shaping ones only by force, and all are on record. */
export function resumedPlan(plan: TreePlan, journal: TreeJournal, given: ResumeChoices): TreePlan {
  const { choices, force, at } = given;
  if (choices.dryRun !== undefined && choices.dryRun !== plan.shape.dryRun) {
    throw new UsageError(
      `run ${plan.treeRunId} is ${plan.shape.dryRun ? "a dry run" : "no dry run"} and stays one: start a new run`,
    );
  }
  const fromDepth = journal.depthsAsked;
  const shape = { ...plan.shape };
  const changes: PlanChange[] = [];
  const reshape = (what: string, from: unknown, to: unknown) => {
    if (!force) {
      throw new UsageError(
        `run ${plan.treeRunId} was started with ${what} ${shown(from)}, not ${shown(to)}: that would change the tree; resume it as it was, start a new run, or take it from depth ${fromDepth} on with --force`,
      );
    }
    changes.push({ at, what, from, to, fromDepth });
  };
  for (const name of shaping) {
    const to = choices[name];
    if (to === undefined || to === plan.shape[name]) continue;
    reshape(flagOf(name), plan.shape[name], to);
    Object.assign(shape, { [name]: to });
  }
  let { config } = plan;
  const different = given.config === undefined ? undefined : configDifference(plan.config, given.config);
  if (given.config !== undefined && different !== undefined) {
    reshape(`--config ${different.field}`, different.from, different.to);
    config = given.config;
  }
  const work = { ...plan.work, oneDepth: choices.oneDepth ?? false };
  for (const name of Object.keys(plan.work) as (keyof TreeWork)[]) {
    const to = choices[name];
    if (to === undefined || to === plan.work[name]) continue;
    if (name !== "oneDepth") changes.push({ at, what: flagOf(name), from: plan.work[name], to, fromDepth: null });
    Object.assign(work, { [name]: to });
  }
  const again = [
    ...plan.again,
    ...(given.rerunEvals ? [{ depth: openDepth(plan, journal, "rerun"), what: "evaluations" as const }] : []),
    ...(given.regenerateIdeas ? [{ depth: depthToAskAgain(plan, journal), what: "ideas" as const }] : []),
  ];
  return {
    ...plan,
    config,
    shape,
    work,
    shapes: changes.some((change) => change.fromDepth !== null) ? [...plan.shapes, { fromDepth, shape }] : plan.shapes,
    again,
    stopAfterDepths: work.oneDepth ? Math.max(journal.depthsComplete + 1, journal.depthsAsked) : null,
    changes: [...plan.changes, ...changes],
  };
}

/** Only a depth that has not passed its barrier can be worked on again: what was promoted stays. */
function openDepth(plan: TreePlan, journal: TreeJournal, wanted: string): number {
  const promoting = [...journal.tasks.keys()].some((key) => key.startsWith(`promote/${journal.depthsComplete}/`));
  if (journal.depthsAsked <= journal.depthsComplete || promoting) {
    throw new UsageError(
      `run ${plan.treeRunId} has no depth that is evaluated and not yet promoted: there is nothing to ${wanted}`,
    );
  }
  return journal.depthsComplete;
}

function depthToAskAgain(plan: TreePlan, journal: TreeJournal): number {
  if (plan.shape.dryRun || plan.config.ideas.kind === "folder") {
    const source = plan.shape.dryRun ? "is a dry run" : "takes its ideas from a folder";
    throw new UsageError(`run ${plan.treeRunId} ${source}: there is no generator to ask for other ideas`);
  }
  return openDepth(plan, journal, "regenerate");
}

/** The search of a plan. Limits below what the journal has already asked for do not undo it. */
export function searchOf(plan: TreePlan, journal: TreeJournal | undefined): TreeSearch {
  const { maxDepth, maxTotalIdeaEvals } = plan.work;
  const again = Map.groupBy(plan.again, ({ depth }) => depth);
  return new TreeSearch({
    rootCommit: plan.rootCommit,
    shapeAt: (depth) => shapeAt(plan, depth),
    maxDepth: Math.max(maxDepth, journal?.depthsAsked ?? 0),
    maxEvaluations: maxTotalIdeaEvals === null ? null : Math.max(maxTotalIdeaEvals, journal?.evaluationsAsked ?? 0),
    stopAfterDepths: plan.stopAfterDepths,
    again: new Map([...again].map(([depth, asked]) => [depth, asked.map(({ what }) => what)])),
  });
}

/** What shapes the given depth. */
export function shapeAt(plan: TreePlan, depth: number): TreeShape {
  return plan.shapes.findLast(({ fromDepth }) => fromDepth <= depth)?.shape ?? plan.shape;
}

/** `maxParallelEvals` as people type it. */
function flagOf(name: string): string {
  const words = name.replace(/Ms$/, "Seconds").replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
  return `--${words}`;
}

function shown(value: unknown): string {
  return value === null ? "none" : typeof value === "string" ? value : JSON.stringify(value);
}
