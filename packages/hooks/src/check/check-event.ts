import { accessSync, constants, readFileSync, statSync } from "node:fs";
import { isAbsolute, join } from "node:path";
import { ownCommands } from "../install/move-hooks.ts";
import { hookCommand, hookEnvironment } from "../run/carry-process.ts";
import type { Hook, Touches } from "../settings/hook.ts";
import { readJsonText } from "../settings/lenient-json.ts";
import { readEventSettings } from "../settings/read-settings.ts";
import { type Places, settingsFiles } from "../settings/scopes.ts";
import { describeProblem, lineOf } from "../settings/settings-problem.ts";
import { normaliseResource, type ResourceRoots, resourcesOverlap } from "../staging/resource.ts";
import { stageEvent } from "../staging/stage-event.ts";
import { stateDirectory } from "../state-directory.ts";
import { fingerprint } from "../trace/hook-files.ts";
import { type Observation, readObservations } from "../trace/observations.ts";

/** Something to mend (an error) or to know (a remark). */
export interface Finding {
  readonly severity: "error" | "remark";
  readonly text: string;
}

/** Looks for what would make an event's result depend on luck: conflicts nobody declared, and broken settings. */
export async function checkEvent(event: string, places: Places, env: NodeJS.ProcessEnv): Promise<readonly Finding[]> {
  const { staging } = await stageEvent(event, {}, places);
  const all = readEventSettings(event, places);
  const observed = readObservations(stateDirectory(places.projectDir))[event] ?? {};
  const findings: Finding[] = all.problems.map((problem) => ({
    severity: problem.severity === "error" ? "error" : "remark",
    text: describeProblem(problem),
  }));
  if (staging.serialBecause !== undefined)
    findings.push({ severity: "error", text: `${event}: ${staging.serialBecause}` });

  const seen = new Map<string, Observation>();
  for (const hook of staging.hooks) {
    const place = `${hook.file}:${lineOf(hook.file, hook.path)}: ${hook.name}`;
    findings.push(...checkCommand(hook, place, places, env), ...checkAfter(hook, place, all.hooks));
    const observation = observed[hook.name];
    const current = observation !== undefined && fingerprint(hook, observation.files) === observation.fingerprint;
    if (current) seen.set(hook.name, observation);
    findings.push(...checkDeclaration(hook, place, places, observation, current));
  }
  for (const stage of staging.stages)
    findings.push(
      ...undeclaredConflicts(
        stage.map((i) => staging.hooks[i]),
        seen,
        places,
      ),
    );
  for (const edge of staging.edges) {
    if (!staging.hooks[edge.from].background) continue;
    const [early, late] = [staging.hooks[edge.from].name, staging.hooks[edge.to].name];
    const text = `${event}: ${late} conflicts with ${early}, which runs in the background and is not waited for`;
    findings.push({ severity: "error", text });
  }
  return findings;
}

/** Keys that occur twice, and entries of ours that differ between scopes, so that agents would run both. */
export function checkTexts(places: Places): readonly Finding[] {
  const entries = new Map<string, Map<string, string>>();
  const findings = settingsFiles(places).flatMap(({ file }) => {
    try {
      const { value, notices } = readJsonText(readFileSync(file, "utf8"));
      for (const [event, command] of ownCommands(value as Record<string, unknown>)) {
        entries.set(event, (entries.get(event) ?? new Map()).set(command, file));
      }
      return notices
        .filter(({ message }) => message.includes("occurs twice"))
        .map(({ line, message }): Finding => ({ severity: "error", text: `${file}:${line}: ${message}` }));
    } catch {
      return [];
    }
  });
  for (const [event, commands] of entries) {
    if (commands.size < 2) continue;
    const text = `${event}: the entries in ${[...commands.values()].join(" and ")} differ, so all hooks would run twice; install both scopes again`;
    findings.push({ severity: "error", text });
  }
  return findings;
}

function checkCommand(hook: Hook, place: string, { projectDir }: Places, env: NodeJS.ProcessEnv): readonly Finding[] {
  const command = hookCommand(hook, hookEnvironment(hook, { cwd: projectDir, projectDir, env }));
  if (command.kind !== "program") return [];
  const file = isAbsolute(command.file) ? command.file : join(projectDir, command.file);
  if (command.file.includes("/")) {
    const stat = statSync(file, { throwIfNoEntry: false });
    if (stat === undefined) return [{ severity: "error", text: `${place}: ${command.file} is not there` }];
    if (!executable(file))
      return [{ severity: "error", text: `${place}: ${command.file} is not executable (chmod +x)` }];
  }
  const script = command.args.find((word) => /^[^-].*\/.*\.(?:sh|py|js|mjs|cjs|ts|mts|rb)$/.test(word));
  const missing =
    script !== undefined &&
    statSync(isAbsolute(script) ? script : join(projectDir, script), { throwIfNoEntry: false }) === undefined;
  return missing ? [{ severity: "error", text: `${place}: ${script} is not there` }] : [];
}

function checkAfter(hook: Hook, place: string, all: readonly Hook[]): readonly Finding[] {
  return hook.after
    .filter((name) => !all.some((other) => other.name === name))
    .map((name) => ({
      severity: "error",
      text: `${place}: declares "after" ${JSON.stringify(name)}, which is no hook of this event`,
    }));
}

function checkDeclaration(
  hook: Hook,
  place: string,
  roots: ResourceRoots,
  observation: Observation | undefined,
  current: boolean,
): readonly Finding[] {
  if (hook.touches === undefined) {
    const text = `${place}: declares neither reads nor writes, so it runs alone; "coppice hooks trace ${hook.event}" proposes both`;
    return [{ severity: "remark", text }];
  }
  if (observation === undefined) return [];
  if (!current) return [{ severity: "remark", text: `${place}: has changed since it was traced; trace it again` }];
  const { touches } = hook;
  const missing = (kind: keyof Touches): readonly string[] =>
    observation[kind].filter((resource) => resource !== "*" && !covers(touches[kind], resource, roots));
  return (["writes", "reads"] as const).flatMap((kind) =>
    missing(kind).map(
      (resource): Finding => ({
        severity: kind === "writes" ? "error" : "remark",
        text: `${place}: ${kind} ${resource}, which is not declared`,
      }),
    ),
  );
}

function covers(declared: readonly string[], resource: string, roots: ResourceRoots): boolean {
  const wanted = normaliseResource(resource, roots);
  return declared.some((text) => resourcesOverlap(normaliseResource(text, roots), wanted));
}

/** Pairs that run together although, by what was seen of them, they must not. */
function undeclaredConflicts(
  hooks: readonly Hook[],
  seen: ReadonlyMap<string, Observation>,
  roots: ResourceRoots,
): readonly Finding[] {
  const findings: Finding[] = [];
  for (const [index, late] of hooks.entries()) {
    for (const early of hooks.slice(0, index)) {
      const [a, b] = [seen.get(early.name), seen.get(late.name)];
      if (a === undefined || b === undefined) continue;
      const shared = [...meet(a.writes, [...b.writes, ...b.reads], roots), ...meet(a.reads, b.writes, roots)].filter(
        (resource) => resource !== "*",
      );
      if (shared.length === 0) continue;
      const text = `${late.event}: ${early.name} and ${late.name} run at the same time, but both touch ${[...new Set(shared)].join(", ")} and one of them writes it`;
      findings.push({ severity: "error", text });
    }
  }
  return findings;
}

function meet(a: readonly string[], b: readonly string[], roots: ResourceRoots): readonly string[] {
  return a.filter((x) => b.some((y) => resourcesOverlap(normaliseResource(x, roots), normaliseResource(y, roots))));
}

function executable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
