import type { Measure } from "../network/regulation.ts";
import type { EpisodeOptions } from "./episode-options.ts";

/** The regulation that is being put together. */
export interface RegulationDraft extends Measure {
  readonly removalsUsed: number;
  /** Flights per flow that enter in the window. */
  readonly flightCounts: readonly number[];
  /** Flights per hour that the volume can take in the window. */
  readonly capacityEstimate: number;
  /** Nothing but a commit is possible any more. */
  readonly finalized: boolean;
  /** Flows changed last, latest first, to ban their reversal. */
  readonly changed: readonly number[];
}

/** Where an episode is. Plain data: equal states have equal keys whatever the order flows were chosen in. */
export interface EpisodeState {
  readonly stage: "pick_hotspot" | "build_regulation" | "stopped";
  readonly measures: readonly Measure[];
  readonly draft: RegulationDraft | undefined;
  readonly actionCount: number;
  readonly done: boolean;
}

export type EpisodeAction =
  | { readonly kind: "PickHotspot"; readonly volume: number; readonly fromBin: number; readonly toBin: number }
  | { readonly kind: "AddFlow"; readonly flow: number }
  | { readonly kind: "RemoveFlow"; readonly flow: number }
  | { readonly kind: "FinalizeRegulation" }
  | { readonly kind: "CommitRegulation" }
  | { readonly kind: "Back" }
  | { readonly kind: "Stop" };

/** An action that its state does not allow. */
export class IllegalAction extends Error {
  override readonly name = "IllegalAction";
}

export const firstState: EpisodeState = {
  stage: "pick_hotspot",
  measures: [],
  draft: undefined,
  actionCount: 0,
  done: false,
};

/** What a picked hotspot brings along. */
export type HotspotFacts = (
  hotspot: Pick<Measure, "volume" | "fromBin" | "toBin">,
  measures: readonly Measure[],
) => Pick<RegulationDraft, "flightCounts" | "capacityEstimate">;

/** Flights of the chosen flows. */
export function chosenFlights({ flows, flightCounts }: Pick<RegulationDraft, "flows" | "flightCounts">): number {
  return flightCounts.reduce((sum, count, flow) => ((flows & (1 << flow)) === 0 ? sum : sum + count), 0);
}

/** Whether enough flights are chosen to be worth regulating; exactly enough is enough. */
export function canFinalize(draft: RegulationDraft, { dwellingFactor }: EpisodeOptions): boolean {
  return draft.flows !== 0 && chosenFlights(draft) >= dwellingFactor * draft.capacityEstimate;
}

/** The state after an action; throws {@link IllegalAction} where it is not allowed. Never changes its input. */
export function stepEpisode(
  state: EpisodeState,
  action: EpisodeAction,
  options: EpisodeOptions,
  factsOf: HotspotFacts,
): EpisodeState {
  if (isOver(state, options)) throw new IllegalAction("the episode is over");
  const next = { ...state, actionCount: state.actionCount + 1 };
  if (action.kind === "Stop") return { ...next, stage: "stopped", draft: undefined, done: true };
  if (action.kind === "PickHotspot") {
    if (state.stage !== "pick_hotspot") throw new IllegalAction("a hotspot is picked before a regulation is built");
    const { kind: _, ...hotspot } = action;
    const facts = factsOf(hotspot, state.measures);
    const draft = { ...hotspot, flows: 0, removalsUsed: 0, finalized: false, changed: [], ...facts };
    return { ...next, stage: "build_regulation", draft };
  }
  const { draft } = state;
  if (draft === undefined) throw new IllegalAction(`${action.kind} needs a picked hotspot`);
  if (action.kind === "CommitRegulation") {
    if (!draft.finalized) throw new IllegalAction("a regulation is finalized before it is committed");
    const { volume, fromBin, toBin, flows } = draft;
    const measures = [...state.measures, { volume, fromBin, toBin, flows }];
    return { ...next, stage: "pick_hotspot", draft: undefined, measures };
  }
  if (draft.finalized) throw new IllegalAction("a finalized regulation can only be committed");
  if (action.kind === "Back") {
    if (!options.back) throw new IllegalAction("there is no way back");
    return { ...next, stage: "pick_hotspot", draft: undefined };
  }
  if (action.kind === "FinalizeRegulation") {
    if (!canFinalize(draft, options)) throw new IllegalAction("too few flights are chosen");
    return { ...next, draft: { ...draft, finalized: true } };
  }
  const bit = 1 << action.flow;
  const chosen = (draft.flows & bit) !== 0;
  const changed = [action.flow, ...draft.changed].slice(0, options.reversalBan);
  if (action.kind === "AddFlow") {
    if (chosen) throw new IllegalAction(`flow ${action.flow} is already chosen`);
    if ((draft.flightCounts[action.flow] ?? 0) === 0) throw new IllegalAction(`flow ${action.flow} has no flights`);
    return { ...next, draft: { ...draft, flows: draft.flows | bit, changed } };
  }
  if (!chosen) throw new IllegalAction(`flow ${action.flow} is not chosen`);
  if (draft.removalsUsed >= options.maxRemovals) throw new IllegalAction("no removals are left");
  return { ...next, draft: { ...draft, flows: draft.flows & ~bit, removalsUsed: draft.removalsUsed + 1, changed } };
}

/** Whether an episode is over: stopped, or out of regulations or actions. */
export function isOver({ done, measures, actionCount }: EpisodeState, options: EpisodeOptions): boolean {
  return (
    done || measures.length >= options.maxRegulations || actionCount >= (options.maxActions ?? Number.POSITIVE_INFINITY)
  );
}

/**
 * States with equal keys are one node: what was decided, and all that can still be done. Without a ban of reversals the
 * order of additions is not part of it; with one, as far as it still forbids something.
 */
export function episodeKey(state: EpisodeState, { maxActions, maxRemovals }: EpisodeOptions): string {
  const { stage, measures, draft, actionCount } = state;
  let building = "";
  if (draft !== undefined) {
    const { volume, fromBin, toBin, flows, removalsUsed, finalized, changed } = draft;
    // A finalized draft cannot change any more, and without removals left a chosen flow stays, banned or not.
    const fixed = (flow: number) => finalized || (removalsUsed >= maxRemovals && (flows & (1 << flow)) !== 0);
    const bans = changed
      .map((flow) => (fixed(flow) ? "" : flow))
      .join(".")
      .replace(/\.+$/, "");
    const used = finalized ? maxRemovals : Math.min(removalsUsed, maxRemovals);
    building = `${volume}:${fromBin}-${toBin}:${flows}:${used}:${finalized ? 1 : 0}:${bans}`;
  }
  return `${stage}|${measuresKey(measures)}|${building}|${maxActions === undefined ? "" : actionCount}`;
}

/** Equal lists, and only those, have equal keys. */
export function measuresKey(measures: readonly Measure[]): string {
  return measures.map(({ volume, fromBin, toBin, flows }) => `${volume}:${fromBin}-${toBin}:${flows}`).join(" ");
}
