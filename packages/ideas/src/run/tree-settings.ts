import { existsSync } from "node:fs";
import { join } from "node:path";
import { readRunFile } from "@coppice/engine/records";
import { UsageError } from "@coppice/engine/usage-error";
import { canMeasureNodes, sharesRepeats } from "../config/check-steps.ts";
import { defaultShape, defaultWork, flagOf, type TreeChoices } from "../config/choices.ts";
import type { ChosenTree } from "../config/choose-tree.ts";
import { configDifferences } from "../config/config-difference.ts";
import { layout } from "../run-layout.ts";
import { TreeSearch } from "../search/tree-search.ts";
import {
  type SettingsChange,
  settingsOnDisk,
  type TreeConfig,
  type TreeSettings,
  type TreeShape,
  type TreeWork,
} from "../settings.ts";
import type { TreeJournal } from "./tree-journal.ts";

/** Name under which `run.json` knows trees. */
export const TREE_TOOL = "tree";

export function newSettings(
  treeRunId: string,
  { rootCommit, config, shape, work, configFile }: ChosenTree,
): TreeSettings {
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
    ...(configFile !== undefined && { configFile }),
  };
}

/** What a run was told to do last; a run that was killed in its first moment has only what it was started with. */
export function readSettings(runRoot: string): TreeSettings {
  const file = readRunFile(runRoot);
  if (file.tool !== TREE_TOOL) throw new UsageError(`run ${file.id} is not an idea tree but a run of "${file.tool}"`);
  const written = existsSync(join(runRoot, layout.settings));
  // Cast: written by this package.
  const settings = written ? settingsOnDisk(runRoot) : (file.options as TreeSettings);
  // A run of an earlier version knows nothing of choices that came later.
  const earlier = { ...defaultShape, repeats: 1 };
  const shapes = settings.shapes.map((each) => ({ ...each, shape: { ...earlier, ...each.shape } }));
  const shape = { ...earlier, ...settings.shape };
  const { link = [], share = [], steps } = settings.config;
  const config = { ...settings.config, link, share, steps: { ...steps, setup: steps.setup ?? null } };
  return {
    ...settings,
    config,
    again: settings.again ?? [],
    shape,
    shapes,
    work: { ...defaultWork, ...settings.work },
  };
}

export interface ResumeChoices {
  readonly choices: TreeChoices;
  readonly config?: TreeConfig;
  /** Take search-shaping changes too. */
  readonly force: boolean;
  readonly rerunEvals: boolean;
  /** Ask the generator for more ideas for the current depth. */
  readonly regenerateIdeas: boolean;
  readonly at: number;
}

const shaping = [
  "ideasPerNode",
  "beamWidth",
  "sweepConfigLimit",
  "dedupeScope",
  "repeats",
  "maxRepeats",
  "leastGain",
  "ideaConversationMode",
  "ideaHistoryWindowTurns",
  "ideaHistoryMaxChars",
] as const;

/** The settings of a resumed run: operational choices are taken, search-shaping ones only by force, and all are on record. */
export function resumedSettings(settings: TreeSettings, journal: TreeJournal, given: ResumeChoices): TreeSettings {
  const { choices, force, at } = given;
  if (choices.dryRun !== undefined && choices.dryRun !== settings.shape.dryRun) {
    throw new UsageError(
      `run ${settings.treeRunId} is ${settings.shape.dryRun ? "a dry run" : "not a dry run"}, and that cannot change: start a new run`,
    );
  }
  const fromDepth = journal.depthsAsked;
  const shape = { ...settings.shape };
  const changes: SettingsChange[] = [];
  const reshape = (what: string, from: unknown, to: unknown) => {
    if (!force) {
      throw new UsageError(
        `run ${settings.treeRunId} was started with ${what} ${shown(from)}, not ${shown(to)}: that would change the tree; resume it as it was, start a new run, or take it from depth ${fromDepth} on with --force`,
      );
    }
    changes.push({ at, what, from, to, fromDepth });
  };
  for (const name of shaping) {
    const to = choices[name];
    if (to === undefined || to === settings.shape[name]) continue;
    reshape(flagOf(name), settings.shape[name], to);
    Object.assign(shape, { [name]: to });
  }
  let { config } = settings;
  if (given.config !== undefined) {
    for (const { field, from, to } of configDifferences(settings.config, given.config)) {
      reshape(`--config ${field}`, from, to);
      config = given.config;
    }
  }
  const work = { ...settings.work, oneDepth: choices.oneDepth ?? false };
  for (const name of Object.keys(settings.work) as (keyof TreeWork)[]) {
    const to = choices[name];
    if (to === undefined || to === settings.work[name]) continue;
    if (name !== "oneDepth") changes.push({ at, what: flagOf(name), from: settings.work[name], to, fromDepth: null });
    Object.assign(work, { [name]: to });
  }
  const again = [
    ...settings.again,
    ...(given.rerunEvals ? [{ depth: openDepth(settings, journal, "rerun"), what: "evaluations" as const }] : []),
    ...(given.regenerateIdeas ? [{ depth: depthToAskAgain(settings, journal), what: "ideas" as const }] : []),
  ];
  return {
    ...settings,
    config,
    shape,
    work,
    shapes: changes.some((change) => change.fromDepth !== null)
      ? [...settings.shapes, { fromDepth, shape }]
      : settings.shapes,
    again,
    stopAfterDepths: work.oneDepth ? Math.max(journal.depthsComplete + 1, journal.depthsAsked) : null,
    changes: [...settings.changes, ...changes],
  };
}

/** Only a depth that has not passed its barrier can be worked on again: what was promoted stays. */
function openDepth(settings: TreeSettings, journal: TreeJournal, wanted: string): number {
  const promoting = [...journal.tasks.keys()].some((key) => key.startsWith(`promote/${journal.depthsComplete}/`));
  if (journal.depthsAsked <= journal.depthsComplete || promoting) {
    throw new UsageError(
      `run ${settings.treeRunId} has no depth that is evaluated and not yet promoted: there is nothing to ${wanted}`,
    );
  }
  return journal.depthsComplete;
}

function depthToAskAgain(settings: TreeSettings, journal: TreeJournal): number {
  if (settings.shape.dryRun || settings.config.ideas.kind === "folder") {
    const source = settings.shape.dryRun ? "is a dry run" : "takes its ideas from a folder";
    throw new UsageError(`run ${settings.treeRunId} ${source}: there is no generator to ask for more ideas`);
  }
  return openDepth(settings, journal, "regenerate");
}

/** The search of a tree. Limits below what the journal has already asked for do not undo it. */
export function searchOf(settings: TreeSettings, journal?: TreeJournal): TreeSearch {
  const { maxDepth, maxTotalIdeaEvals } = settings.work;
  const again = Map.groupBy(settings.again, ({ depth }) => depth);
  return new TreeSearch({
    rootCommit: settings.rootCommit,
    // What is pretended is compared already: there is nothing to measure.
    score: settings.shape.dryRun ? { kind: "command", step: settings.config.steps.sweep } : settings.config.score,
    paired: sharesRepeats(settings.config),
    shapeAt: (depth) => {
      const shape = shapeAt(settings, depth);
      const once = shape.dryRun || !canMeasureNodes(settings.config);
      return shape.repeats === "auto" && once ? { ...shape, repeats: 1 } : shape;
    },
    maxDepth: Math.max(maxDepth, journal?.depthsAsked ?? 0),
    maxEvaluations: maxTotalIdeaEvals === null ? null : Math.max(maxTotalIdeaEvals, journal?.evaluationsAsked ?? 0),
    stopAfterDepths: settings.stopAfterDepths,
    again: new Map([...again].map(([depth, asked]) => [depth, asked.map(({ what }) => what)])),
  });
}

/** What shapes the given depth. */
export function shapeAt(settings: TreeSettings, depth: number): TreeShape {
  return settings.shapes.findLast(({ fromDepth }) => fromDepth <= depth)?.shape ?? settings.shape;
}

function shown(value: unknown): string {
  return value === null ? "none" : typeof value === "string" ? value : JSON.stringify(value);
}
