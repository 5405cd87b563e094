import { subjectOf } from "../settings/matcher.ts";
import { type EventSettings, readEventSettings } from "../settings/read-settings.ts";
import type { Places } from "../settings/scopes.ts";
import { type Plan, planHooks, selectHooks, serialPlan } from "./plan.ts";

/** The plan of one event, with what the settings said beside it. */
export interface PlannedEvent extends Pick<EventSettings, "options" | "problems" | "installed" | "readable"> {
  readonly plan: Plan;
}

/** Reads the settings and plans the hooks that this input sets off. */
export function planEvent(
  event: string,
  input: Readonly<Record<string, unknown>>,
  places: Places,
  serial = false,
): PlannedEvent {
  const settings = readEventSettings(event, places);
  const hooks = selectHooks(settings.hooks, subjectOf(event, input));
  const because = serial ? "it was asked for" : settings.serialBecause;
  const plan = because === undefined ? planHooks(hooks, places) : serialPlan(hooks, [], because);
  const { options, problems, installed, readable } = settings;
  return { plan, options, problems, installed, readable };
}
