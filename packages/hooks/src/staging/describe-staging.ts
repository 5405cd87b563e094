import { counted } from "@coppice/engine/figures";
import { UsageError } from "@coppice/engine/usage-error";
import { subjectField } from "../agent/known-agents.ts";
import { configuredEvents } from "../settings/read-settings.ts";
import type { Places } from "../settings/scopes.ts";
import { describeProblem, type Problem, refuseUnreadable } from "../settings/settings-problem.ts";
import type { Edge, EdgeReason } from "./edges.ts";
import { stageEvent } from "./stage-event.ts";
import type { Staging } from "./stage-hooks.ts";

/** The stagings of a project's events and what is wrong with its settings. */
export interface ProjectStaging {
  readonly events: readonly {
    readonly event: string;
    readonly staging: Staging;
    /** Hooks that changed since they were traced, and so run alone whatever they declare. */
    readonly stale: readonly string[];
    /** Staged as if every matcher matched, because nobody said what the event is about. */
    readonly matchersOpen: boolean;
  }[];
  readonly problems: readonly string[];
}

/** Stages one event, or all that are configured; the subject is the tool (or source) they are about. */
export async function stageProject(places: Places, event?: string, subject?: string): Promise<ProjectStaging> {
  const unreadable: Problem[] = [];
  const configured = configuredEvents(places, unreadable);
  refuseUnreadable(configured, unreadable);
  if (event !== undefined) refuseUnconfigured(event, configured);
  const events: ProjectStaging["events"][number][] = [];
  const problems = [...unreadable];
  const changed: string[] = [];
  for (const name of event === undefined ? configured : [event]) {
    const field = subjectField(name);
    const staged = await stageEvent(
      name,
      field !== undefined && subject !== undefined ? { [field]: subject } : {},
      places,
    );
    problems.push(...staged.problems);
    const since = `changed since it was traced, so it runs alone; run "coppice hooks trace ${name}" again`;
    changed.push(...staged.stale.map((hook) => `${name}: ${hook} ${since}`));
    const { staging, stale } = staged;
    events.push({ event: name, staging, stale, matchersOpen: field !== undefined && subject === undefined });
  }
  return { events, problems: [...new Set([...problems.map(describeProblem), ...changed])] };
}

/** Whoever asks about an event without hooks is told which have some. */
export function refuseUnconfigured(event: string, configured: readonly string[]): void {
  if (configured.includes(event)) return;
  const known =
    configured.length === 0 ? "no hooks are configured here" : `hooks are configured for ${configured.join(", ")}`;
  throw new UsageError(`nothing is configured for ${event}; ${known}`);
}

/** The stages as data, with hooks by name. */
export function stagingData({ events, problems }: ProjectStaging): object {
  const plans = events.map(({ event, staging: { hooks, stages, edges, serialBecause } }) => ({
    event,
    stages: stages.map((stage) => stage.map((index) => hooks[index].name)),
    edges: edges.map(({ from, to, reasons }) => ({ from: hooks[from].name, to: hooks[to].name, reasons })),
    serialBecause: serialBecause ?? null,
  }));
  return { plans, problems };
}

/** The stages for people. */
export function stagingText({ events }: ProjectStaging): string {
  if (events.length === 0) return "no hooks are configured here\n";
  const open = (event: string) => `  (as if every matcher matched; choose with --for ${exampleOf(event)})\n`;
  return events
    .map(
      ({ event, staging, stale, matchersOpen }) =>
        describeStaging(staging, event, stale) + (matchersOpen ? open(event) : ""),
    )
    .join("\n");
}

function exampleOf(event: string): string {
  const field = subjectField(event) ?? "subject";
  return field === "tool_name" ? "Bash" : field === "source" ? "startup" : `<${field}>`;
}

/** One event's stages, then every edge with its reason. */
export function describeStaging(staging: Staging, event: string, stale: readonly string[] = []): string {
  const lines: string[] = [];
  const count = staging.stages.length;
  lines.push(`${event}: ${counted(staging.hooks.length, "hook")} in ${counted(count, "stage")}`);
  if (staging.serialBecause !== undefined) lines.push(`one by one, in list order, because ${staging.serialBecause}`);
  for (const [index, stage] of staging.stages.entries()) {
    const names = stage.map(
      (hook) => staging.hooks[hook].name + (staging.hooks[hook].background ? " (background)" : ""),
    );
    lines.push("", `stage ${index + 1}`, ...wrap(names));
  }
  if (staging.edges.length > 0) lines.push("", "why", ...reasonsInShort(staging, stale));
  return `${lines.join("\n")}\n`;
}

/** Every reason once: who waits for everybody is said in one line, not in one for each. */
function reasonsInShort(staging: Staging, stale: readonly string[]): readonly string[] {
  const nameOf = (index: number): string => staging.hooks[index].name;
  const kindsOf = ({ reasons }: Edge): readonly string[] => reasons.map(({ kind }) => kind);
  const single = staging.edges.filter((edge) => kindsOf(edge).some((kind) => kind !== "alone" && kind !== "block"));
  const undeclared = staging.hooks.filter(({ touches }) => touches === undefined).map(({ name }) => name);
  const alone = staging.edges.some((edge) => kindsOf(edge).includes("alone")) ? undeclared : [];
  const [changed, silent] = [
    alone.filter((name) => stale.includes(name)),
    alone.filter((name) => !stale.includes(name)),
  ];
  const blocked = new Set(staging.edges.filter((edge) => kindsOf(edge).includes("block")).map(({ to }) => nameOf(to)));
  const lines = single.flatMap((edge) => describeEdge(staging, edge)).map((line) => `  ${line}`);
  if (silent.length > 0) {
    const [declare, each] = silent.length === 1 ? ["declares", "it"] : ["declare", "each of them"];
    lines.push(...wrap(silent), `    ${declare} neither reads nor writes, so ${each} runs alone`);
  }
  if (changed.length > 0) {
    const [have, each] = changed.length === 1 ? ["has", "it"] : ["have", "each of them"];
    lines.push(...wrap(changed), `    ${have} changed since the last trace, so ${each} runs alone`);
  }
  if (blocked.size > 0) {
    const [wait, must] = blocked.size === 1 ? ["waits", "it"] : ["wait", "they"];
    lines.push(
      ...wrap([...blocked]),
      `    ${wait} for all before, which may block: ${must} must not have written then ("onBlock": "stop")`,
    );
  }
  return lines;
}

/** One line per reason: who waits for whom, and for what. */
export function describeEdge(staging: Staging, edge: Edge): readonly string[] {
  const waiting = staging.hooks[edge.to].name;
  const earlier = staging.hooks[edge.from].name;
  return edge.reasons.map((reason) => `${waiting} waits for ${earlier}: ${describeReason(reason, waiting, earlier)}`);
}

function describeReason(reason: EdgeReason, waiting: string, earlier: string): string {
  switch (reason.kind) {
    case "after":
      return `${waiting} declares "after": ["${earlier}"]`;
    case "block":
      return `${earlier} may block, and ${waiting} must not have written then ("onBlock": "stop")`;
    case "alone":
      return `${reason.undeclared} declares neither reads nor writes, so it runs alone`;
    case "write-write":
      return `both write ${same(reason)}`;
    case "write-read":
      return `${earlier} writes what ${waiting} reads, ${same(reason)}`;
    case "read-write":
      return `${earlier} reads what ${waiting} writes, ${same(reason)}`;
    default:
      return reason satisfies never;
  }
}

function same({ resource, earlier }: { resource: string; earlier: string }): string {
  return resource === earlier ? resource : `${resource} (${earlier})`;
}

function wrap(names: readonly string[]): readonly string[] {
  const lines: string[] = [];
  let line = "";
  for (const name of names) {
    if (line !== "" && line.length + name.length > 96) {
      lines.push(line);
      line = "";
    }
    line += line === "" ? `  ${name}` : `, ${name}`;
  }
  return line === "" ? lines : [...lines, line];
}
