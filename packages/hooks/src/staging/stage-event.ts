import { subjectOf } from "../settings/matcher.ts";
import { type EventSettings, readEventSettings } from "../settings/read-settings.ts";
import type { Places } from "../settings/scopes.ts";
import { stateDirectory } from "../state-directory.ts";
import { type Staging, selectHooks, serialStaging, stageHooks } from "./stage-hooks.ts";

/** The staging of one event, with what the settings said beside it. */
export interface StagedEvent extends Pick<EventSettings, "options" | "problems" | "installed" | "readable"> {
  readonly staging: Staging;
}

/** Reads the settings, unless their texts are given, and stagings the hooks that this input sets off. */
export async function stageEvent(
  event: string,
  input: Readonly<Record<string, unknown>>,
  places: Places,
  texts?: ReadonlyMap<string, string>,
): Promise<StagedEvent> {
  return stageSettings(readEventSettings(event, places, texts), event, input, places);
}

/** Plans what was read. */
export async function stageSettings(
  settings: EventSettings,
  event: string,
  input: Readonly<Record<string, unknown>>,
  places: Places,
): Promise<StagedEvent> {
  const { options, problems, installed, readable } = settings;
  let hooks = selectHooks(settings.hooks, subjectOf(event, input));
  if (options.observed && hooks.some((hook) => hook.touches === undefined)) {
    const { readObservations, withObservations } = await import("../trace/observations.ts");
    hooks = withObservations(hooks, readObservations(stateDirectory(places.projectDir)));
  }
  const because = settings.serialBecause;
  const staging = because === undefined ? stageHooks(hooks, places) : serialStaging(hooks, [], because);
  return { staging, options, problems, installed, readable };
}
