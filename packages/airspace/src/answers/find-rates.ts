import { addTimerTotals, drainTimers, enableTimers, type TimerShare, timerShares } from "@coppice/engine/timers";
import { UsageError } from "@coppice/engine/usage-error";
import { readInput } from "../import/input-text.ts";
import { readWindow } from "../instance/clock.ts";
import { type BinWindow, type Instance, volumeOfId } from "../instance/instance.ts";
import type { PriceChoice } from "../network/chosen-weights.ts";
import type { Plan } from "../network/regulation.ts";
import { defaultWeights, type Weights } from "../network/weights.ts";
import { networkModels } from "../network-rates/network-model.ts";
import { candidateOf } from "../published/hotspots/inventory.ts";
import { chosenInventory, type DiscoveryChoice } from "../published/hotspots/inventory-file.ts";
import { readPublishedCases } from "../published/rates/published-cases.ts";
import { publishedFinding } from "../published/rates/published-finding.ts";
import { publishedModels } from "../published/rates/published-model.ts";
import { readFlowsFile } from "../published/scoring/controlled-flows.ts";
import { type CrewRequest, RateCrew } from "../rate-search/rate-crew.ts";
import { RateFinder, type RateFinding } from "../rate-search/rate-finder.ts";
import type { ControlMode, RateModelSource } from "../rate-search/rate-model.ts";
import type { RateOptions } from "../rate-search/rate-options.ts";
import { chosenPlan } from "./plan-answers.ts";

/** Which model answers: the corrected one, or the published one as it was. */
export type Semantics = "corrected" | "reference";

/** What `coppice flow rates` was asked, checked by itself but not yet against a day. */
export interface RatesRequest extends CrewRequest, DiscoveryChoice {
  readonly volume: string;
  readonly window: string;
  readonly semantics: Semantics;
  readonly modes: readonly ControlMode[];
  /** File with `{ "flow": ["flight", …] }`; by default the flows found at the volume. */
  readonly flowsFile: string | undefined;
  readonly search: Partial<RateOptions>;
  /** File with the regulations already decided; not for reference semantics, where a plan does not change traffic. */
  readonly planFile: string | undefined;
  /** Prices of the network objective, as far as they are given; not for reference semantics. */
  readonly weights: PriceChoice;
}

/** What was found. */
export interface RatesReport {
  readonly instance: Instance;
  readonly semantics: Semantics;
  readonly volumeId: string;
  readonly window: BinWindow;
  readonly findings: readonly { readonly mode: ControlMode; readonly finding: RateFinding | undefined }[];
  /** What the rates come after, and the prices they were found at; empty with reference semantics. */
  readonly decided: { readonly plan: Plan; readonly weights: Weights };
  readonly timers: readonly TimerShare[] | undefined;
  /** Worth saying to whoever asked. */
  readonly notices: readonly string[];
}

/** Finds the rates of one volume and window, in each mode. */
export async function findRates(instance: Instance, request: RatesRequest): Promise<RatesReport> {
  const { semantics, volume: volumeId, profile } = request;
  const place = { volume: volumeOfId(instance, volumeId), window: readWindow(request.window, instance) };
  const decided = decidedPlan(instance, request);
  using crew = new RateCrew(request);
  if (profile) enableTimers(true);
  const began = performance.now();
  try {
    const findings =
      semantics === "reference"
        ? await inModes(publishedModels(instance), referenceTasks(instance, place, request), request, crew)
        : await inModes(
            networkModels(instance, decided.weights),
            networkTasks(instance, place, request, decided.plan),
            request,
            crew,
          );
    const wallMs = performance.now() - began;
    const timers = profile ? timerShares(addTimerTotals(drainTimers(), crew.timers), wallMs) : undefined;
    const { notices } = crew;
    return { instance, semantics, volumeId, window: place.window, findings, decided, timers, notices };
  } finally {
    if (profile) enableTimers(false);
  }
}

async function inModes<Task extends { readonly mode: ControlMode }>(
  models: RateModelSource<Task>,
  tasks: readonly Task[],
  { search }: RatesRequest,
  crew: RateCrew,
): Promise<RatesReport["findings"]> {
  const finder = new RateFinder(models, search);
  const findings: { mode: ControlMode; finding: RateFinding | undefined }[] = [];
  for (const task of tasks) findings.push({ mode: task.mode, finding: await crew.find(finder, task) });
  return findings;
}

/** The report as data; findings carry the published diagnostics' names. */
export function ratesJson(report: RatesReport): unknown {
  const { instance, semantics, volumeId, window, findings, timers } = report;
  return {
    instance: instance.name,
    semantics,
    control_volume_id: volumeId,
    window_bins: window,
    findings: findings.map(({ mode, finding }) => publishedFinding({ volumeId, window, mode }, finding)),
    ...(timers === undefined ? {} : { timers }),
  };
}

interface Place {
  readonly volume: number;
  readonly window: BinWindow;
}

function referenceTasks(instance: Instance, place: Place, request: RatesRequest) {
  const flows =
    request.flowsFile === undefined
      ? candidateOf(instance, place.volume, place.window, chosenInventory(instance, request)).flows
      : readFlowsFile(readInput("--flows", request.flowsFile), instance);
  return request.modes.map((mode) => ({ ...place, mode, flows }));
}

function networkTasks(instance: Instance, place: Place, request: RatesRequest, plan: Plan) {
  if (request.discovery !== undefined) {
    throw new UsageError(
      "--discovery: needs --semantics reference; otherwise a volume's flows are those of the day (--flows)",
    );
  }
  const flows = instance.flowNames[place.volume].map((_, flow) => flow);
  return request.modes.map((mode) => ({ ...place, mode, flows, plan }));
}

/** The regulations that come before, and the prices: from the options, else from the plan, else the usual ones. */
function decidedPlan(instance: Instance, { planFile, semantics, weights }: RatesRequest): RatesReport["decided"] {
  if (semantics === "corrected") {
    return chosenPlan("--plan", planFile, instance, weights);
  }
  if (planFile !== undefined) {
    throw new UsageError("--plan: not with --semantics reference, where a plan changes no traffic for later searches");
  }
  const [option] = Object.entries(weights).find(([, value]) => value !== undefined) ?? [];
  if (option !== undefined)
    throw new UsageError(`--${option}: not with --semantics reference, which has its own prices`);
  return { plan: [], weights: defaultWeights };
}

/**
 * Runs the searches of a published file with their own flows and configuration, each twice with one finder, and returns
 * the numbers under the published names.
 */
export async function findRateCases(instance: Instance, casesFile: string, request: CrewRequest): Promise<object> {
  const cases = readPublishedCases(readInput("--cases", casesFile), instance);
  using crew = new RateCrew(request);
  const findings: object[] = [];
  for (const { label, volumeId, task, options, weights } of cases) {
    const finder = new RateFinder(publishedModels(instance, weights), options);
    const place = { volumeId, window: task.window, mode: task.mode };
    const first = publishedFinding(place, await crew.find(finder, task));
    const second = publishedFinding(place, await crew.find(finder, task));
    const { eval_calls, cache_hits } = second.diagnostics;
    const { rates, delta_j } = second;
    findings.push({ label, ...first, second_call: { eval_calls, cache_hits, delta_j, rates } });
  }
  return { instance: instance.name, semantics: "reference", rate_finder_cases: findings };
}
