import { type PoolFactory, processes, start, threads } from "@coppice/engine";
import { CoreBudget } from "@coppice/engine/cores";
import { configurationKey, type HorizonResults, Sweep, type TournamentCandidate } from "@coppice/search";
import type { Metrics } from "../accuracy/accuracy.ts";
import { buildColumns } from "../columns/build.ts";
import { shareColumns } from "../columns/shared-columns.ts";
import type { HorizonParameters } from "../config/configuration.ts";
import { HORIZONS, type Horizon } from "../horizon.ts";
import { loadSeasons } from "../seasons/load.ts";
import { type TuningContext, tuningEvaluator } from "./judge.ts";
import type { HorizonResult } from "./objective.ts";

const DEFAULT_MAX_WORKERS = 8;
const DEFAULT_USE_PROCESSES = true;

/** On which seasons configurations are measured, and with how many workers. */
export interface AccuracyRunnerOptions {
  readonly dataFolder: string;
  /** Names of the seasons to evaluate on. */
  readonly seasons: readonly string[];
  readonly maxWorkers?: number;
  /** False evaluates on threads of this process. */
  readonly useProcesses?: boolean;
  readonly horizons?: readonly Horizon[];
  readonly metrics?: Metrics;
  readonly log?: (line: string) => void;
}

/** Evaluates lists of configurations on every horizon, in parallel, with results in the order of the list. */
export class AccuracyRunner {
  readonly #options: Required<AccuracyRunnerOptions>;

  constructor(options: AccuracyRunnerOptions) {
    this.#options = {
      maxWorkers: DEFAULT_MAX_WORKERS,
      useProcesses: DEFAULT_USE_PROCESSES,
      horizons: HORIZONS,
      metrics: "all",
      log: () => {},
      ...options,
    };
  }

  /**
   * Results by horizon for each configuration. The first failure rejects the whole call. `onComplete` hears how many are
   * done, 1 … n.
   */
  async evaluate(
    configurations: readonly HorizonParameters[],
    onComplete: (done: number) => void = () => {},
  ): Promise<readonly HorizonResults<HorizonResult>[]> {
    if (configurations.length === 0) return [];
    const { horizons, log, dataFolder, seasons, metrics } = this.#options;
    const { pool, workers } = poolFor(this.#options, configurations.length);
    const count = configurations.length;
    log(
      `${count} configs × ${horizons.length} horizons = ${count * horizons.length} total evaluations, on ${workers} ${workers === 1 ? pool.kind.replace(/(?<=ss)es$|s$/, "") : pool.kind}`,
    );
    const keys = horizons.map((horizon) => horizon.key);
    const sweep = new Sweep<TournamentCandidate, HorizonResults<HorizonResult>>(
      configurations.map((configuration) => ({
        candidate: { configuration, horizons: keys },
        key: configurationKey(configuration),
      })),
    );
    const context: TuningContext = { metrics, data: "shared" };
    const measured = loadSeasons(dataFolder).seasons.filter(({ name }) => seasons.includes(name));
    const run = await start({
      search: sweep,
      evaluator: tuningEvaluator,
      context,
      shared: { columns: shareColumns(buildColumns(measured)) },
      pool,
      onFailure: "stop",
    });
    let done = 0;
    run.subscribe((event) => {
      while (event.type === "told" && done < event.told) onComplete(++done);
    });
    try {
      const { result } = await run.finished;
      return result.map((outcome) => {
        if (!outcome.ok) throw new Error(outcome.failure.message);
        return outcome.value;
      });
    } catch (error) {
      log(`evaluation failed: ${(error as Error).message}`);
      throw error;
    }
  }
}

/** Workers within the cores there are; `notice` says when that is fewer than asked for. */
export function poolFor(
  { maxWorkers, useProcesses }: { readonly maxWorkers: number; readonly useProcesses: boolean },
  items?: number,
): { readonly pool: PoolFactory; readonly workers: number; readonly notice: string | undefined } {
  const { workers, notice } = new CoreBudget().grant(maxWorkers, items);
  return { pool: useProcesses ? processes({ workers }) : threads({ workers }), workers, notice };
}
