import { subjectOf } from "../settings/matcher.ts";
import { type EventSettings, readEventSettings } from "../settings/read-settings.ts";
import type { Places } from "../settings/scopes.ts";
import { stateDirectory } from "../state/state-directory.ts";
import { type Plan, planHooks, selectHooks, serialPlan } from "./plan.ts";

/** The plan of one event, with what the settings said beside it. */
export interface PlannedEvent extends Pick<EventSettings, "options" | "problems" | "installed" | "readable"> {
  readonly plan: Plan;
}

/** Reads the settings, unless their texts are given, and plans the hooks that this input sets off. */
export async function planEvent(
  event: string,
  input: Readonly<Record<string, unknown>>,
  places: Places,
  texts?: ReadonlyMap<string, string>,
): Promise<PlannedEvent> {
  return planSettings(readEventSettings(event, places, texts), event, input, places);
}

/** Plans what was read. */
export async function planSettings(
  settings: EventSettings,
  event: string,
  input: Readonly<Record<string, unknown>>,
  places: Places,
): Promise<PlannedEvent> {
  const { options, problems, installed, readable } = settings;
  let hooks = selectHooks(settings.hooks, subjectOf(event, input));
  if (options.observed && hooks.some((hook) => hook.touches === undefined)) {
    const { readObservations, withObservations } = await import("../trace/observations.ts");
    hooks = withObservations(hooks, readObservations(stateDirectory(places.projectDir)));
  }
  const because = settings.serialBecause;
  const plan = because === undefined ? planHooks(hooks, places) : serialPlan(hooks, [], because);
  return { plan, options, problems, installed, readable };
}
