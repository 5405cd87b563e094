import { placesOf } from "../settings/scopes.ts";
import { describeEdge, stageProject } from "../staging/describe-staging.ts";
import type { HookRecord, TimingRecord } from "./timing-records.ts";
import { projectReport } from "./timing-report.ts";
import { reportTables, type Table } from "./timing-tables.ts";

/** Events whose course is shown: the last ones. */
const MOST_EVENTS = 50;
const WEEK_MS = 7 * 86_400_000;

/** A project's hooks as pages show them. */
export interface HooksView {
  /** The period of the figures, in milliseconds since the epoch. */
  readonly from: number;
  readonly to: number;
  /** What is wrong with the settings, or with the records. */
  readonly problems: readonly string[];
  readonly events: readonly StagedHooks[];
  readonly slowest: readonly { readonly hook: string; readonly event: string; readonly meanMs: number }[];
  readonly tables: Readonly<Record<"events" | "hooks" | "costs", Table>>;
  readonly suggestions: readonly string[];
  /** The last first. */
  readonly courses: readonly EventCourse[];
}

/** The stages of an event; hooks of a stage run at once. */
export interface StagedHooks {
  readonly event: string;
  readonly stages: readonly (readonly string[])[];
  /** Who waits for whom, and why. */
  readonly edges: readonly { readonly from: string; readonly to: string; readonly why: readonly string[] }[];
  readonly serialBecause: string | null;
}

/** An event as it went. */
export interface EventCourse {
  readonly event: string;
  readonly ts: number;
  readonly hooks: readonly Pick<HookRecord, "hook" | "stage" | "queued_ms" | "duration_ms" | "outcome">[];
}

/** What of it is wanted. */
export interface HooksChoice {
  /** How far back; a week if absent. */
  readonly periodMs?: number;
  /** The course of this event only. */
  readonly run?: string | undefined;
}

/** What there is to see of a project's hooks: today's stages, and what they took of late. Starts nothing. */
export async function readHooksView(
  projectDir: string,
  env: NodeJS.ProcessEnv,
  now: number,
  { periodMs = WEEK_MS, run }: HooksChoice = {},
): Promise<HooksView> {
  const places = placesOf(projectDir, env);
  const { report, records } = await projectReport(places, periodMs, now);
  const staged = await stageProject(places).catch((error: unknown) => {
    return { events: [], problems: [error instanceof Error ? error.message : String(error)] };
  });
  const damaged = report.corruptLines === 0 ? [] : [`${report.corruptLines} damaged lines were skipped`];
  return {
    from: report.from,
    to: report.to,
    problems: [...staged.problems, ...damaged],
    events: staged.events.map(({ event, staging }) => ({
      event,
      stages: staging.stages.map((stage) => stage.map((index) => staging.hooks[index].name)),
      edges: staging.edges.map((edge) => ({
        from: staging.hooks[edge.from].name,
        to: staging.hooks[edge.to].name,
        why: describeEdge(staging, edge),
      })),
      serialBecause: staging.serialBecause ?? null,
    })),
    slowest: report.hooks.map(({ hook, event, meanMs }) => ({ hook, event, meanMs })),
    tables: reportTables(report),
    suggestions: report.suggestions,
    courses: coursesIn(run === undefined ? records : records.filter((record) => record.run === run)),
  };
}

function coursesIn(records: readonly TimingRecord[]): readonly EventCourse[] {
  const byRun = Map.groupBy(
    records.filter((record) => record.kind === "hook"),
    ({ run }) => run,
  );
  return [...byRun.values()]
    .slice(-MOST_EVENTS)
    .reverse()
    .map((hooks) => ({
      event: hooks[0].event,
      ts: hooks[0].ts,
      hooks: hooks.map(({ hook, stage, queued_ms, duration_ms, outcome }) => {
        return { hook, stage, queued_ms, duration_ms, outcome };
      }),
    }));
}
