import { existsSync } from "node:fs";
import { delimiter, isAbsolute, join } from "node:path";
import { isExecutable } from "@coppice/engine/files";
import { holdsBackFirst, subjectField } from "../agent/known-agents.ts";
import { hookCommand, hookEnvironment } from "../run/carry-process.ts";
import type { Hook } from "../settings/hook.ts";
import { configuredEvents, readEventSettings } from "../settings/read-settings.ts";
import type { Places } from "../settings/scopes.ts";
import { lineOf, type Problem } from "../settings/settings-problem.ts";
import { findEdges } from "../staging/edges.ts";
import { normaliseResource, type ResourceRoots, resourcesOverlap } from "../staging/resource.ts";
import { stageEvent } from "../staging/stage-event.ts";
import { stateDirectory } from "../state-directory.ts";
import { isInterpreted } from "../trace/hook-files.ts";
import { isAsTraced, type Observation, observationOf, readObservations } from "../trace/observations.ts";
import { checkFiles } from "./check-files.ts";
import { checkDigestHook, checkHabits } from "./check-habits.ts";
import { error, type Finding, problemFinding, remark } from "./finding.ts";

/** Everything that would make a project's results depend on luck, errors first; `ok` when there is none. */
export async function checkProject(
  places: Places,
  env: NodeJS.ProcessEnv,
): Promise<{ events: readonly string[]; findings: readonly Finding[]; ok: boolean }> {
  const unreadable: Problem[] = [];
  const events = configuredEvents(places, unreadable);
  const all = [...unreadable.map(problemFinding), ...checkFiles(places)];
  all.push(...checkHabits(places, readEventSettings("", places).options));
  for (const event of events) all.push(...(await checkEvent(event, places, env)));
  const { error: errors = [], remark: remarks = [] } = Object.groupBy(
    new Map(all.map((finding) => [finding.text, finding])).values(),
    ({ severity }) => severity,
  );
  return { events, findings: [...errors, ...remarks], ok: errors.length === 0 };
}

/** Looks for what would make an event's result depend on luck: conflicts nobody declared, and broken settings. */
export async function checkEvent(event: string, places: Places, env: NodeJS.ProcessEnv): Promise<readonly Finding[]> {
  const { staging, stale } = await stageEvent(event, {}, places);
  const all = readEventSettings(event, places);
  const observed = readObservations(stateDirectory(places.projectDir));
  const findings = [...all.problems, ...all.unusedDeclarations].map(problemFinding);
  if (staging.serialBecause !== undefined) findings.push(error(`${event}: ${staging.serialBecause}`));
  if (all.lost !== undefined) findings.push(error(`${event}: ${all.lost} has the list of hooks and cannot be read`));
  for (const { command, path, from } of all.unmoved) {
    const place = `${from.file}:${lineOf(from.file, path)}: ${command}`;
    const text = 'the agent runs it at the same time as the list; "coppice hooks install" moves it there';
    findings.push(error(`${place}: ${text}`));
  }

  const seen = new Map<Hook, Observation>();
  for (const hook of staging.hooks) {
    const observation = observationOf(observed, hook);
    const current = observation !== undefined && isAsTraced(hook, observation);
    if (current) seen.set(hook, observation);
    const unknown = hook.after.filter((name) => !all.hooks.some((other) => other.name === name));
    const found = [
      ...[...checkCommand(hook, places, env), ...checkMatcher(hook, places), ...checkDigestHook(hook)].map(error),
      ...unknown.map((name) => error(`declares "after" ${JSON.stringify(name)}, which is not a hook of this event`)),
      ...checkDeclaration(hook, places, observation, stale.includes(hook.name)),
      ...(hook.background && holdsBackFirst(event) ? [remark("runs in the background, so it cannot block")] : []),
    ];
    const place = `${hook.file}:${lineOf(hook.file, hook.path)}: ${hook.name}`;
    findings.push(...found.map(({ severity, text }) => ({ severity, text: `${place}: ${text}` })));
  }
  for (const stage of staging.stages) {
    const together = stage.map((index) => staging.hooks[index]);
    findings.push(...undeclaredConflicts(together, seen, places).map((text) => error(`${event}: ${text}`)));
  }
  for (const edge of staging.edges) {
    const [early, late] = [staging.hooks[edge.from], staging.hooks[edge.to].name];
    const text = `${event}: ${late} conflicts with ${early.name}, which runs in the background and is not waited for`;
    if (early.background) findings.push(error(text));
  }
  return findings;
}

/** A program, script or module that is not there or cannot be started. */
function checkCommand(hook: Hook, { projectDir }: Places, env: NodeJS.ProcessEnv): readonly string[] {
  const pathOf = (file: string): string => (isAbsolute(file) ? file : join(projectDir, file));
  if (hook.module !== undefined && !existsSync(pathOf(hook.module))) return [`${hook.module} does not exist`];
  const command = hookCommand(hook, hookEnvironment(hook, { cwd: projectDir, projectDir, env }));
  if (command.kind !== "program") return [];
  const words = [command.file, ...command.args];
  const script = words.find((word, i) => i > 0 && SCRIPT.test(word) && (word.includes("/") || isInterpreted(words, i)));
  const program = command.file.includes("/") ? command.file : undefined;
  const missing = [program, script].find((file) => file !== undefined && !existsSync(pathOf(file)));
  if (missing !== undefined) return [`${missing} does not exist`];
  if (program !== undefined) return isExecutable(pathOf(program)) ? [] : [`${program} is not executable (chmod +x)`];
  const folders = (env.PATH ?? "").split(delimiter);
  return folders.some((folder) => isExecutable(join(folder, command.file)))
    ? []
    : [`${command.file} is not in the path`];
}

const SCRIPT = /^[^-].*\.(?:sh|py|js|mjs|cjs|ts|mts|rb)$/;

/** A matcher that differs from a tool's name only in upper and lower case: its hooks never run. */
function checkMatcher({ event, matcher }: Hook, { agent }: Places): readonly string[] {
  if (subjectField(event) === undefined) return [];
  const words = matcher.split("|").map((word) => word.trim());
  return words.flatMap((word) => {
    if (agent.usualSubjects.includes(word)) return [];
    const meant = agent.usualSubjects.find((subject) => subject.toLowerCase() === word.toLowerCase());
    const text = `the matcher "${word}" never matches ${meant}: upper and lower case count`;
    return meant === undefined ? [] : [text];
  });
}

function checkDeclaration(
  { touches, event, matcher }: Hook,
  roots: ResourceRoots,
  observation: Observation | undefined,
  stale: boolean,
): readonly Finding[] {
  // A hook with a matcher is traced only by an event that it matches.
  const about = subjectField(event) === undefined ? undefined : /^\w+/.exec(matcher)?.[0];
  const trace = `"coppice hooks trace ${event}${about === undefined ? "" : ` --for ${about}`}"`;
  const traces = `${trace} proposes both`;
  if (stale) return [error(`has changed since it was traced, so it runs alone; run ${trace} again`)];
  if (touches === undefined) return [remark(`declares neither reads nor writes, so it runs alone; ${traces}`)];
  if (observation === undefined) return [];
  return (["writes", "reads"] as const).flatMap((kind) => {
    const declared = touches[kind].map((text) => normaliseResource(text, roots));
    const covered = (resource: string): boolean =>
      declared.some((path) => resourcesOverlap(path, normaliseResource(resource, roots)));
    const missing = observation[kind].filter((resource) => resource !== "*" && !covered(resource));
    const say = kind === "writes" ? error : remark;
    return missing.map((resource) => say(`${kind} ${resource}, which is not declared`));
  });
}

/** Pairs that run together although, by what was seen of them, they must not. */
function undeclaredConflicts(
  together: readonly Hook[],
  seen: ReadonlyMap<Hook, Observation>,
  roots: ResourceRoots,
): readonly string[] {
  const known = (resources: readonly string[] = []) => resources.filter((resource) => resource !== "*");
  const asSeen = together.map((hook): Hook => {
    const { reads, writes } = seen.get(hook) ?? {};
    return { ...hook, after: [], touches: { reads: known(reads), writes: known(writes) } };
  });
  return findEdges(asSeen, roots).map(({ from, to, reasons }) => {
    const shared = new Set(reasons.flatMap((reason) => ("earlier" in reason ? [reason.earlier] : [])));
    const names = `${together[from].name} and ${together[to].name}`;
    return `${names} run at the same time, but both touch ${[...shared].join(", ")} and one of them writes it`;
  });
}
