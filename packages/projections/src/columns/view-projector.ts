import type { Configuration } from "../config/configuration.ts";
import { multiplierAt } from "../config/ladder.ts";
import { POSITIONS } from "../seasons/season.ts";
import { type Columns, LOCATION, MAX_WINDOW, NO_TEAM } from "./columns.ts";

const NEUTRAL_RANK = 16;
const DST = POSITIONS.indexOf("DST");
const FEELS_WIND = POSITIONS.map((position) => position === "QB" || position === "WR" || position === "K");

/**
 * Projects all players of a view. What a configuration decides per team is put in tables of one entry per team first,
 * so that a row costs a handful of loads; the operations on a row keep the published order.
 */
export class ViewProjector {
  readonly #columns: Columns;
  readonly #qualityByRank: Float64Array;
  readonly #matchupByRank: Float64Array;
  readonly #temperatureBonus: Float64Array;
  readonly #windBonus: Float64Array;
  readonly #locationBonus = new Float64Array(4);
  readonly #quality: Float64Array;
  readonly #matchup: Float64Array;
  readonly #temperature: Float64Array;
  readonly #wind: Float64Array;
  readonly #noWind: Float64Array;
  readonly #location: Float64Array;
  /** Multipliers of a group's rows when performance is interpolated. */
  readonly #performance: Float64Array;
  /** Very poor, poor, neutral, good, excellent. */
  readonly #tiers = new Float64Array(5);
  #config: Configuration | undefined;

  constructor(columns: Columns) {
    const { teamCount, maxRank, rowCount } = columns.header;
    this.#columns = columns;
    this.#qualityByRank = new Float64Array(maxRank + 1);
    this.#matchupByRank = new Float64Array(maxRank + 1);
    this.#temperatureBonus = new Float64Array(columns.temperatures.length);
    this.#windBonus = new Float64Array(columns.gusts.length);
    this.#quality = new Float64Array(teamCount);
    this.#matchup = new Float64Array(teamCount);
    this.#temperature = new Float64Array(teamCount);
    this.#wind = new Float64Array(teamCount);
    this.#noWind = new Float64Array(teamCount);
    this.#location = new Float64Array(teamCount);
    this.#performance = new Float64Array(rowCount);
  }

  configure(config: Configuration): void {
    if (this.#config === config) return;
    this.#config = config;
    // Rank 0 stands for none, which has no effect.
    this.#qualityByRank[0] = 1;
    this.#matchupByRank[0] = 0;
    for (let rank = 1; rank < this.#qualityByRank.length; rank++) {
      this.#qualityByRank[rank] = multiplierAt(config.teamQuality.ladder, rank);
      this.#matchupByRank[rank] = bonus(config.matchup.impactScale, multiplierAt(config.matchup.ladder, rank));
    }
    const { temperature, wind } = config;
    // Number 0 stands for no weather, and its bonus stays 0.
    for (let i = 1; i < this.#temperatureBonus.length; i++) {
      const distance = Math.abs(this.#columns.temperatures[i] - temperature.ideal);
      this.#temperatureBonus[i] = bonus(temperature.impactScale, multiplierAt(temperature.ladder, distance));
    }
    for (let i = 1; i < this.#windBonus.length; i++) {
      this.#windBonus[i] = bonus(wind.impactScale, multiplierAt(wind.ladder, this.#columns.gusts[i]));
    }
    this.#locationBonus[LOCATION.home] = config.location.home;
    this.#locationBonus[LOCATION.away] = config.location.away;
    this.#locationBonus[LOCATION.international] = config.location.international;
  }

  /** Writes the projections of a view's rows. */
  project(view: number, projected: Float64Array): void {
    const config = this.#config;
    if (config === undefined) throw new Error("project before configure");
    const { groupRows } = this.#columns;
    const { week, max } = this.#columns.header.views[view];
    const start = groupRows[view * POSITIONS.length];
    const end = groupRows[(view + 1) * POSITIONS.length];
    if (config.normalizationMaxScale <= 0 || max <= 0) {
      projected.fill(0, start, end);
      return;
    }
    const neutral = week <= Math.min(config.teamQuality.minWeeks, config.matchup.minWeeks);
    this.#fillWeather(view);
    this.#fillPerformance(start, end, config);
    for (let position = 0; position < POSITIONS.length; position++) {
      // Quality changes only when the defences begin.
      if (position === 0 || position === DST) this.#fillQuality(view, week, position === DST, neutral, config);
      this.#fillMatchup(view, week, position, neutral, config);
      const group = view * POSITIONS.length + position;
      const wind = FEELS_WIND[position] ? this.#wind : this.#noWind;
      this.#projectRows(groupRows[group], groupRows[group + 1], wind, config.normalizationMaxScale, max, projected);
    }
  }

  /** Hot: operations in the published order, nothing factored out. */
  #projectRows(
    start: number,
    end: number,
    wind: Float64Array,
    scale: number,
    max: number,
    projected: Float64Array,
  ): void {
    const { team, share } = this.#columns;
    const quality = this.#quality;
    const performance = this.#performance;
    const matchup = this.#matchup;
    const temperature = this.#temperature;
    const location = this.#location;
    for (let row = start; row < end; row++) {
      const t = team[row];
      let score = share[row] * scale;
      score *= quality[t];
      score *= performance[row];
      score += matchup[t];
      score += temperature[t];
      score += wind[t];
      score += location[t];
      projected[row] = (score / scale) * max;
    }
  }

  /** Hot. A row without enough samples has a deviation of NaN, which compares false with everything. */
  #fillPerformance(start: number, end: number, config: Configuration): void {
    const { ladder, minWeeks } = config.performance;
    const out = this.#performance;
    if (minWeeks > MAX_WINDOW) {
      out.fill(1, start, end);
      return;
    }
    const { deviation } = this.#columns;
    const shift = (minWeeks - 1) * this.#columns.header.rowCount;
    if (ladder.shape.linear) {
      for (let row = start; row < end; row++) {
        const d = deviation[shift + row];
        out[row] = Number.isNaN(d) ? 1 : multiplierAt(ladder, d);
      }
      return;
    }
    const { 0: excellent, 1: good, 2: poor, 3: veryPoor } = ladder.thresholds;
    const { 0: e, 1: g, 2: p, 3: v } = ladder.weighted;
    if (excellent >= good && good > poor && poor >= veryPoor) {
      // Tiers in order: count the thresholds passed, because branches on performance are guesses.
      const tiers = this.#tiers;
      tiers[0] = v;
      tiers[1] = p;
      tiers[2] = 1;
      tiers[3] = g;
      tiers[4] = e;
      for (let row = start; row < end; row++) {
        const d = deviation[shift + row];
        out[row] = tiers[2 + Number(d >= good) + Number(d >= excellent) - Number(d <= poor) - Number(d <= veryPoor)];
      }
      return;
    }
    for (let row = start; row < end; row++) {
      const d = deviation[shift + row];
      out[row] = d >= excellent ? e : d >= good ? g : d <= veryPoor ? v : d <= poor ? p : 1;
    }
  }

  #fillWeather(view: number): void {
    const { header, temperature, gust, location } = this.#columns;
    const offset = view * header.teamCount;
    for (let t = 0; t < header.teamCount; t++) {
      this.#temperature[t] = this.#temperatureBonus[temperature[offset + t]];
      this.#wind[t] = this.#windBonus[gust[offset + t]];
      this.#location[t] = this.#locationBonus[location[offset + t]];
    }
  }

  #fillQuality(view: number, week: number, defence: boolean, neutral: boolean, config: Configuration): void {
    const { header, offensive, defence: defenceRanks, ranked } = this.#columns;
    const { teamCount } = header;
    const window = Math.min(config.teamQuality.minWeeks, week - 1);
    const offset = (view * MAX_WINDOW + window - 1) * teamCount;
    const ranks = defence ? defenceRanks : offensive;
    for (let t = 0; t < teamCount; t++) {
      const rank = neutral ? ranked[view * teamCount + t] * NEUTRAL_RANK : ranks[offset + t];
      this.#quality[t] = this.#qualityByRank[rank];
    }
  }

  #fillMatchup(view: number, week: number, position: number, neutral: boolean, config: Configuration): void {
    const { header, offensive, allowed, opponent, ranked } = this.#columns;
    const { teamCount } = header;
    const isDefence = position === DST;
    const window = Math.min(isDefence ? config.teamQuality.minWeeks : config.matchup.minWeeks, week - 1);
    const at = view * MAX_WINDOW + window - 1;
    const ranks = isDefence ? offensive : allowed;
    const offset = (isDefence ? at : at * 5 + position) * teamCount;
    for (let t = 0; t < teamCount; t++) {
      const other = opponent[view * teamCount + t];
      let rank = 0;
      if (other !== NO_TEAM) rank = neutral ? ranked[view * teamCount + other] * NEUTRAL_RANK : ranks[offset + other];
      this.#matchup[t] = this.#matchupByRank[rank];
    }
  }
}

function bonus(impact: number, multiplier: number): number {
  return impact * multiplier - impact;
}
