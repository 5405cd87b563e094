import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Fields } from "../json-fields.ts";
import type { Hook } from "../settings/hook.ts";
import { subjectOf } from "../settings/matcher.ts";
import { type EventSettings, readEventSettings } from "../settings/read-settings.ts";
import type { Places } from "../settings/scopes.ts";
import { OBSERVED_FILE, stateDirectory } from "../state-directory.ts";
import type { TracedHooks } from "../trace/observations.ts";
import { listStaging, type Staging, selectHooks, stageHooks } from "./stage-hooks.ts";

/** The staging of one event, with what the settings said beside it. */
export interface StagedEvent extends Pick<EventSettings, "options" | "problems" | "readable" | "lost"> {
  readonly staging: Staging;
  /** Hooks that changed since they were traced, and so run alone. */
  readonly stale: readonly string[];
}

/** Reads the settings, unless their texts are given, and stages the hooks that this input sets off. */
export async function stageEvent(
  event: string,
  input: Fields,
  places: Places,
  texts?: ReadonlyMap<string, string>,
): Promise<StagedEvent> {
  const settings = readEventSettings(event, places, texts);
  const { options, problems, readable, serialBecause, lost } = settings;
  const selected = selectHooks(settings.hooks, subjectOf(event, input));
  const known = await knownHooks(selected, options.observed, places.projectDir);
  const { stale } = known;
  const free = { reads: [], writes: [] };
  const assumed = (hook: Hook): Hook =>
    hook.touches === undefined && !stale.some(({ name }) => name === hook.name) ? { ...hook, touches: free } : hook;
  const hooks = options.assumeIndependent ? known.hooks.map(assumed) : known.hooks;
  const staging =
    serialBecause === undefined ? stageHooks(hooks, places, options.onBlock) : listStaging(hooks, [], serialBecause);
  return { staging, options, problems, readable, lost, stale: stale.map(({ name }) => name) };
}

/** The hooks as far as what was traced of them still holds; nothing is loaded where nothing was ever traced. */
async function knownHooks(hooks: readonly Hook[], useSeen: boolean, projectDir: string): Promise<TracedHooks> {
  const stateDir = stateDirectory(projectDir);
  const everTraced = hooks.some(({ traced }) => traced !== undefined) || existsSync(join(stateDir, OBSERVED_FILE));
  if (hooks.length === 0 || !everTraced) return { hooks, stale: [] };
  const { asTraced, readObservations } = await import("../trace/observations.ts");
  return asTraced(hooks, readObservations(stateDir), useSeen, projectDir);
}
