import { existsSync } from "node:fs";
import { relative } from "node:path";
import { refuseIfLocked } from "@coppice/engine/records";
import { UsageError } from "@coppice/engine/usage-error";
import { defaultShape, defaultWork, type TreeChoices, writtenChoices } from "../config/choices.ts";
import { checkBackend } from "../config/choose-tree.ts";
import { configDifferences } from "../config/config-difference.ts";
import { readTreeFile, type TreeFile } from "../config/tree-file.ts";
import type { KeptFile, TreeValue } from "../contract.ts";
import { recoveriesOf } from "../conversation/conversation-files.ts";
import { changedArtifacts } from "../evaluate/kept-file.ts";
import { buildManifest } from "../manifest/build-manifest.ts";
import { recoveryEvents } from "../manifest/conversation-record.ts";
import type { Manifest } from "../manifest/manifest.ts";
import { compareTexts } from "../search/idea-choice.ts";
import type { TreeSearch } from "../search/tree-search.ts";
import type { TreeSettings } from "../settings.ts";
import { EventLog } from "./event-log.ts";
import { TreeJournal } from "./tree-journal.ts";
import { type ResumeChoices, readSettings, resumedSettings, searchOf } from "./tree-settings.ts";

/** What a run has on disk, as far as it was read: nothing is started, nothing is written. */
export interface TreeOnDisk {
  readonly runRoot: string;
  readonly settings: TreeSettings;
  readonly journal: TreeJournal;
  readonly log: EventLog;
}

/** The same, with the search as far as the journal goes. */
export interface RecordedTree extends TreeOnDisk {
  readonly search: TreeSearch;
}

/** Reads a run's journal, once: whoever works on the run is handed what was read, and reads on from there. */
export function openTree(runRoot: string, settings: TreeSettings = readSettings(runRoot)): TreeOnDisk {
  const log = new EventLog(runRoot, settings.treeRunId, !settings.shape.dryRun);
  const journal = new TreeJournal(runRoot, (event) => log.note(event));
  journal.follow();
  return { runRoot, settings, journal, log };
}

/** What somebody who resumes a tree wants: all of it may be absent. */
export interface ResumeWishes extends Partial<Omit<ResumeChoices, "config">> {
  /** Path of a configuration file. */
  readonly config?: string | undefined;
}

/** Reads a run to go on with it, with the settings that come of what is wanted now; refuses what cannot be. */
export function resumedTree(runRoot: string, wishes: ResumeWishes = {}, poolFlag?: string): TreeOnDisk {
  const tree = openTree(runRoot);
  const file = wishes.config === undefined ? undefined : readTreeFile(wishes.config);
  const settings = resumedSettings(tree.settings, tree.journal, {
    choices: { ...(file !== undefined && leftOut(tree.settings, file.choices)), ...file?.choices, ...wishes.choices },
    ...(file === undefined ? {} : { config: { ...file.config, repository: tree.settings.config.repository } }),
    force: wishes.force ?? false,
    rerunEvals: wishes.rerunEvals ?? false,
    regenerateIdeas: wishes.regenerateIdeas ?? false,
    at: wishes.at ?? Date.now(),
  });
  checkBackend(settings, poolFlag);
  return { ...tree, settings: file === undefined ? settings : { ...settings, configFile: file.read } };
}

/** What the file said when it was read and says no more is what holds without it, unless a flag said it differently. */
function leftOut({ configFile, shape, work }: TreeSettings, now: TreeChoices): TreeChoices {
  const before: object = configFile?.choices ?? {};
  const [used, unsaid] = [
    { ...shape, ...work },
    { ...defaultShape, ...defaultWork },
  ];
  const names = Object.keys(before).filter(
    (name) => !Object.hasOwn(now, name) && Reflect.get(before, name) === Reflect.get(used, name),
  );
  return Object.fromEntries(names.map((name) => [name, Reflect.get(unsaid, name)]));
}

/** What has been edited in the configuration file of a run since it was read, and what to do about it; undefined when nothing has. */
export function editedConfiguration({ settings }: TreeOnDisk): string | undefined {
  const { configFile, treeRunId } = settings;
  if (configFile === undefined || settings.shape.dryRun || !existsSync(configFile.path)) return undefined;
  const resume = `coppice tree resume ${treeRunId} --config ${relative(process.cwd(), configFile.path)}`;
  let file: TreeFile;
  try {
    file = readTreeFile(configFile.path);
  } catch (error) {
    return `run ${treeRunId} goes on as it was configured; its file cannot be used now: ${(error as Error).message}`;
  }
  if (file.read.sha256 === configFile.sha256) return undefined;
  const config = { ...file.config, repository: settings.config.repository };
  const ofSteps = configDifferences(settings.config, config);
  const ofChoices = configDifferences(configFile.choices, file.read.choices);
  const different = [...ofSteps, ...ofChoices];
  if (different.length === 0) return undefined;
  const said = (value: unknown) => (value === null ? "none" : JSON.stringify(value));
  const changes = different.map(({ field, from, to }) => `${field} was ${said(from)} and is ${said(to)}`).join("; ");
  const force = ofSteps.length > 0 || ofChoices.some(({ field }) => shapeNames.has(field)) ? " --force" : "";
  const them = different.length === 1 ? "the change" : "the changes";
  return `${configFile.path} was edited since run ${treeRunId} read it (${changes}): the run goes on as it was; to take ${them}: ${resume}${force}`;
}

/** Settings that would make another tree, as files have them. */
const shapeNames: ReadonlySet<string> = new Set(Object.keys(writtenChoices(defaultShape)));

/** Whoever has the lock is asked first: nothing of a live run is touched. */
export async function refuseIfLive(
  runRoot: string,
  onWait: ((message: string) => void) | undefined,
  staleMs = readSettings(runRoot).work.lockStaleMs,
): Promise<void> {
  await refuseIfLocked(runRoot, { staleMs, onWait });
}

/** Reads a run and replays its search as far as the journal goes. */
export function readTree(runRoot: string): RecordedTree {
  const tree = openTree(runRoot);
  const search = searchOf(tree.settings, tree.journal);
  replay(search, tree.journal);
  return { ...tree, search };
}

/** Answers a search from the journal until there is no answer. */
function replay(search: TreeSearch, journal: TreeJournal): void {
  const keys: string[] = [];
  for (let told = 0; ; ) {
    const proposal = search.ask();
    if (proposal.kind === "candidate") keys.push(proposal.key);
    else {
      const outcome = proposal.kind === "wait" ? journal.outcome(keys[told]) : undefined;
      if (outcome === undefined) return;
      search.tell(outcome, told++);
    }
  }
}

/** Finished tasks are not done again, so that what they left must still be what it was; refuses to go on if not. */
export function checkArtifacts({ runRoot, journal }: TreeOnDisk): void {
  const files = [...journal.tasks.keys()].flatMap((key) => {
    const outcome = journal.outcome(key);
    return outcome?.ok === true ? keptFilesOf(outcome.value) : [];
  });
  const [problem] = changedArtifacts(runRoot, files);
  if (problem !== undefined) throw new UsageError(problem);
}

function keptFilesOf(value: TreeValue): KeptFile[] {
  switch (value.kind) {
    case "root":
    case "promotion":
      return [value.baseline];
    case "evaluation":
    case "repeat":
      return [value.results];
    default:
      return [];
  }
}

/** The record of a tree as it is now. */
export function manifestOf({ runRoot, settings, search, journal, log }: RecordedTree): Manifest {
  const changes = [
    ...journal.takeovers.map(({ at, from }) => ({ at, type: "lock_takeover", details: { from } })),
    ...settings.changes.map(({ at, ...details }) => ({ at, type: "settings_changed", details })),
  ].map(({ at, type, details }) => ({ ts: new Date(at).toISOString(), type, details }));
  const extra = [...changes, ...recoveryEvents({ nodes: search.nodes, journal }, recoveriesOf(runRoot))];
  const events = extra.length === 0 ? log.events : [...log.events, ...extra].sort((a, b) => compareTexts(a.ts, b.ts));
  return buildManifest({ settings, search, journal, events });
}
