import { readFileSync } from "node:fs";
import {
  type BinWindow,
  type ControlMode,
  candidateOf,
  defaultWeights,
  findRatesOnPool,
  type InputText,
  type Instance,
  InvalidInput,
  type InventoryOptions,
  networkModels,
  type Plan,
  publishedFinding,
  RateFinder,
  type RateFinding,
  type RateModelSource,
  type RateOptions,
  readFlowsFile,
  readInventoryOptions,
  readPlanFile,
  referenceModels,
  volumeOfId,
  type Weights,
} from "@coppice/airspace";
import {
  addTimerTotals,
  CoreBudget,
  drainTimers,
  type EvaluationCache,
  enableTimers,
  inline,
  openCache,
  type PoolFactory,
  processes,
  type TimerShare,
  type TimerTotals,
  threads,
  timerShares,
} from "@coppice/engine";
import { readWindow } from "./bin-window.ts";

export type Semantics = "corrected" | "reference";

/** What `coppice flow rates` was asked, checked by itself but not yet against a day. */
export interface RatesRequest {
  readonly volume: string;
  readonly window: string;
  readonly semantics: Semantics;
  readonly modes: readonly ControlMode[];
  /** File with `{ "flow": ["flight", …] }`; by default the flows found at the volume. */
  readonly flowsFile: string | undefined;
  readonly search: Partial<RateOptions>;
  /** File that says how flows are found, reference semantics only. */
  readonly discoveryFile: string | undefined;
  /** File with the regulations already decided; not for reference semantics, where a plan does not change traffic. */
  readonly planFile: string | undefined;
  /** 0: in this process. */
  readonly workers: number;
  readonly backend: "thread" | "process";
  readonly chunkSize: number | undefined;
  readonly maxTasksInFlight: number | undefined;
  /** File with scores of earlier searches. */
  readonly cacheFile: string | undefined;
  readonly profile: boolean;
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
  const volume = volumeOfId(instance, request.volume);
  const window = readWindow(request.window, instance);
  const pool = poolOf(request);
  if (request.profile) enableTimers(true);
  const began = performance.now();
  try {
    const place = { volume, window };
    const decided = planOf(instance, request);
    const { findings, workerTimers } =
      request.semantics === "reference"
        ? await inModes(referenceModels(instance), referenceTasks(instance, place, request), request, pool.factory)
        : await inModes(
            networkModels(instance, decided.weights),
            networkTasks(instance, place, request, decided.plan),
            request,
            pool.factory,
          );
    const wallMs = performance.now() - began;
    const timers = request.profile ? timerShares(addTimerTotals(drainTimers(), workerTimers), wallMs) : undefined;
    const { semantics } = request;
    const { volume: volumeId } = request;
    return { instance, semantics, volumeId, window, findings, decided, timers, notices: pool.notices };
  } finally {
    if (request.profile) enableTimers(false);
  }
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
  if (request.planFile !== undefined) {
    throw new InvalidInput(
      "--plan: not with --semantics reference, where a plan changes no traffic for later searches",
    );
  }
  const flows =
    request.flowsFile === undefined
      ? candidateOf(instance, place.volume, place.window, grouping(instance, request.discoveryFile)).flows
      : readFlowsFile(inputText("--flows", request.flowsFile), instance);
  return request.modes.map((mode) => ({ ...place, mode, flows }));
}

/** How flows are found; without positions of the volumes, directions cannot be compared. */
function grouping(instance: Instance, discoveryFile: string | undefined): InventoryOptions {
  const placed = !instance.volumeLatitude.some(Number.isNaN) && !instance.volumeLongitude.some(Number.isNaN);
  const direction = { mode: placed ? "coord_cosine" : "none" } as const;
  const given = discoveryFile === undefined ? {} : readInventoryOptions(inputText("--discovery", discoveryFile));
  return { direction, ...given };
}

function networkTasks(instance: Instance, place: Place, request: RatesRequest, plan: Plan) {
  const option =
    request.flowsFile !== undefined ? "--flows" : request.discoveryFile !== undefined ? "--discovery" : undefined;
  if (option !== undefined) {
    throw new InvalidInput(
      `${option}: needs --semantics reference; otherwise a volume's flows are those of the instance`,
    );
  }
  const flows = instance.flowNames[place.volume].map((_, flow) => flow);
  return request.modes.map((mode) => ({ ...place, mode, flows, plan }));
}

function planOf(instance: Instance, { planFile, semantics }: RatesRequest): RatesReport["decided"] {
  if (planFile === undefined) return { plan: [], weights: defaultWeights };
  if (semantics === "reference") {
    throw new InvalidInput(
      "--plan: not with --semantics reference, where a plan changes no traffic for later searches",
    );
  }
  const { plan, weights = defaultWeights } = readPlanFile(inputText("--plan", planFile), instance);
  return { plan, weights };
}

function inputText(option: string, path: string): InputText {
  try {
    return { source: path, text: readFileSync(path, "utf8") };
  } catch (error) {
    throw new InvalidInput(`${option} ${path}: cannot be read (${error instanceof Error ? error.message : error})`);
  }
}

async function inModes<Task extends { readonly mode: ControlMode }>(
  models: RateModelSource<Task>,
  tasks: readonly Task[],
  request: RatesRequest,
  pool: PoolFactory | undefined,
): Promise<{ readonly findings: RatesReport["findings"]; readonly workerTimers: TimerTotals }> {
  const finder = new RateFinder(models, request.search);
  using cache = request.cacheFile === undefined ? undefined : closing(openCache(request.cacheFile));
  const findings: { mode: ControlMode; finding: RateFinding | undefined }[] = [];
  let workerTimers: TimerTotals = {};
  for (const task of tasks) {
    if (pool === undefined) findings.push({ mode: task.mode, finding: finder.find(task) });
    else {
      const { finding, timers } = await findRatesOnPool(finder, task, pool, {
        timers: request.profile,
        ...(cache === undefined ? {} : { cache: cache.cache }),
      });
      findings.push({ mode: task.mode, finding });
      workerTimers = addTimerTotals(workerTimers, timers);
    }
  }
  return { findings, workerTimers };
}

/** Closes the cache at the end of its block, also when a search fails. */
function closing(cache: EvaluationCache): Disposable & { readonly cache: EvaluationCache } {
  return { cache, [Symbol.dispose]: () => cache.close() };
}

function poolOf(request: RatesRequest): {
  readonly factory: PoolFactory | undefined;
  readonly notices: readonly string[];
} {
  if (request.workers === 0) return { factory: request.cacheFile === undefined ? undefined : inline(), notices: [] };
  const { workers, notice } = new CoreBudget().grant(request.workers);
  const options = {
    workers,
    ...(request.chunkSize === undefined ? {} : { chunk: request.chunkSize }),
    ...(request.maxTasksInFlight === undefined ? {} : { maxInFlight: request.maxTasksInFlight }),
  };
  const factory = request.backend === "process" ? processes(options) : threads(options);
  return { factory, notices: notice === undefined ? [] : [`--num-workers-rf: ${notice}`] };
}
