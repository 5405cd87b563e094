import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { JOURNAL_NAME, readRunFile, UsageError } from "@coppice/engine";
import { defaultShape, defaultWork } from "../config/default-choices.ts";
import { recoveriesOf } from "../conversation/recoveries.ts";
import { buildManifest } from "../manifest/build-manifest.ts";
import { recoveryEvents } from "../manifest/conversation-record.ts";
import type { Manifest } from "../manifest/manifest.ts";
import { layout } from "../run-layout.ts";
import type { TreeSearch } from "../search/tree-search.ts";
import { EventLog } from "./event-log.ts";
import { TreeJournal } from "./tree-journal.ts";
import { searchOf, type TreePlan } from "./tree-plan.ts";

/** A run as it stands on disk: nothing is started, nothing is written. */
export interface RecordedTree {
  readonly runRoot: string;
  readonly plan: TreePlan;
  readonly search: TreeSearch;
  readonly journal: TreeJournal;
  readonly log: EventLog;
}

/** Name under which `run.json` knows trees. */
export const TREE_TOOL = "tree";

/** What a run was told to do last; a run that was killed in its first moment has only what it was started with. */
export function readPlan(runRoot: string): TreePlan {
  const file = readRunFile(runRoot);
  if (file.tool !== TREE_TOOL) throw new UsageError(`run ${file.id} is not an idea tree but a run of "${file.tool}"`);
  const path = join(runRoot, layout.settings);
  // Cast: both are written by this package.
  const plan = (existsSync(path) ? JSON.parse(readFileSync(path, "utf8")) : file.options) as TreePlan;
  // A run of an earlier version knows nothing of choices that came later.
  const shapes = plan.shapes.map((each) => ({ ...each, shape: { ...defaultShape, ...each.shape } }));
  const [shape, work] = [
    { ...defaultShape, ...plan.shape },
    { ...defaultWork, ...plan.work },
  ];
  return { ...plan, again: plan.again ?? [], shape, shapes, work };
}

/** Reads a run and replays its search as far as the journal goes. */
export function readTree(runRoot: string): RecordedTree {
  const plan = readPlan(runRoot);
  const journal = new TreeJournal(join(runRoot, JOURNAL_NAME));
  const log = new EventLog(runRoot, plan.treeRunId, !plan.shape.dryRun);
  if (existsSync(join(runRoot, JOURNAL_NAME))) journal.follow((event) => log.note(event));
  const search = searchOf(plan, journal);
  replay(search, journal);
  return { runRoot, plan, search, journal, log };
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

export function manifestOf({ runRoot, plan, search, journal, log }: RecordedTree): Manifest {
  const changes = [
    ...journal.takeovers.map(({ at, from }) => ({ at, type: "lock_takeover", details: { from } })),
    ...plan.changes.map(({ at, ...details }) => ({ at, type: "settings_changed", details })),
  ].map(({ at, type, details }) => ({ ts: new Date(at).toISOString(), type, details }));
  const extra = [...changes, ...recoveryEvents({ nodes: search.nodes, journal }, recoveriesOf(runRoot))];
  const events = extra.length === 0 ? log.events : [...log.events, ...extra].sort((a, b) => compareTexts(a.ts, b.ts));
  return buildManifest({ plan, search, journal, events });
}

function compareTexts(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
