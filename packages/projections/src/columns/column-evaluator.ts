import type { GroupRanking, HorizonAccuracy, Metrics } from "../accuracy/accuracy.ts";
import { aggregateHorizon, type SeasonTally } from "../accuracy/averages.ts";
import type { Configuration } from "../config/configuration.ts";
import { HORIZONS, type Horizon } from "../horizon.ts";
import { POSITIONS } from "../seasons/season.ts";
import type { Columns } from "./columns.ts";
import { GroupRanker, RANKINGS } from "./group-ranker.ts";
import { ViewProjector } from "./view-projector.ts";

/** Evaluates configurations on columns. Owns scratch space: one per worker. */
export class ColumnEvaluator {
  readonly columns: Columns;
  /** Projection of every row under the configuration evaluated last; rows of other horizons are stale. */
  readonly projected: Float64Array;
  readonly #projector: ViewProjector;
  readonly #ranker: GroupRanker;

  constructor(columns: Columns) {
    this.columns = columns;
    this.projected = new Float64Array(columns.header.rowCount);
    this.#projector = new ViewProjector(columns);
    this.#ranker = new GroupRanker(columns);
  }

  /** One configuration on one horizon, over all seasons. */
  evaluate(horizon: Horizon, config: Configuration, metrics: Metrics): HorizonAccuracy {
    this.#projector.configure(config);
    const index = HORIZONS.indexOf(horizon);
    return aggregateHorizon(this.columns.header.seasons.map((_, season) => this.#season(season, index, metrics)));
  }

  #season(season: number, horizon: number, metrics: Metrics): SeasonTally {
    const { header, groupRows, actual } = this.columns;
    const { projected } = this;
    let totalError = 0;
    let playerCount = 0;
    let weeksEvaluated = 0;
    const groups: GroupRanking[] | undefined = metrics === "all" ? [] : undefined;
    for (let view = 0; view < header.views.length; view++) {
      if (header.views[view].season !== season || header.views[view].horizon !== horizon) continue;
      this.#projector.project(view, projected);
      const start = groupRows[view * POSITIONS.length];
      const end = groupRows[(view + 1) * POSITIONS.length];
      for (let row = start; row < end; row++) totalError += Math.abs(actual[row] - projected[row]);
      playerCount += end - start;
      weeksEvaluated++;
      if (groups !== undefined) this.#rank(view, groups);
    }
    const weeks = HORIZONS[horizon].weeks;
    return {
      name: header.seasons[season],
      totalError,
      playerCount,
      weeksEvaluated,
      weeksRequested: weeks === undefined ? 1 : weeks[1] - weeks[0] + 1,
      groups,
    };
  }

  #rank(view: number, groups: GroupRanking[]): void {
    const { rankings } = this.#ranker;
    for (let p = 0; p < POSITIONS.length; p++) {
      const group = view * POSITIONS.length + p;
      this.#ranker.rank(group, this.projected);
      const at = group * RANKINGS;
      groups.push({
        position: POSITIONS[p],
        pairwise: rankings[at],
        top5: rankings[at + 1],
        top10: rankings[at + 2],
        top20: rankings[at + 3],
        spearman: rankings[at + 4],
      });
    }
  }
}
