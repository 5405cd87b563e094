import type { Fields } from "../json-fields.ts";
import { subjectOf } from "../settings/matcher.ts";
import { type EventSettings, readEventSettings } from "../settings/read-settings.ts";
import type { Places } from "../settings/scopes.ts";
import { stateDirectory } from "../state-directory.ts";
import { listStaging, type Staging, selectHooks, stageHooks } from "./stage-hooks.ts";

/** The staging of one event, with what the settings said beside it. */
export interface StagedEvent extends Pick<EventSettings, "options" | "problems" | "readable"> {
  readonly staging: Staging;
}

/** Reads the settings, unless their texts are given, and stages the hooks that this input sets off. */
export async function stageEvent(
  event: string,
  input: Fields,
  places: Places,
  texts?: ReadonlyMap<string, string>,
): Promise<StagedEvent> {
  const settings = readEventSettings(event, places, texts);
  const { options, problems, readable, serialBecause } = settings;
  let hooks = selectHooks(settings.hooks, subjectOf(event, input));
  if (options.observed && hooks.some((hook) => hook.touches === undefined)) {
    const { readObservations, withObservations } = await import("../trace/observations.ts");
    hooks = withObservations(hooks, readObservations(stateDirectory(places.projectDir)));
  }
  const staging =
    serialBecause === undefined ? stageHooks(hooks, places, options.onBlock) : listStaging(hooks, [], serialBecause);
  return { staging, options, problems, readable };
}
