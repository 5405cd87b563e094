import type { Instance } from "../../instance/instance.ts";
import { type CapacityRows, capacityRows } from "./capacity-rows.ts";
import { type FlightVisits, flightVisitsOf } from "./flight-visits.ts";
import { type HourMoves, type MovedHours, movedHours } from "./hour-moves.ts";

/** Less than any count can make up for. */
const NO_LIMIT = -(2 ** 30);

/**
 * Rolling-hour counts of all volumes against capacity, and what moving flights would do to them. A visit in bin b counts
 * in the K rolling hours that start in bins b-K+1..b.
 *
 * Moves are first summed up per cell, then the rolling hours of the touched stretch of each touched row are looked at
 * once. So a trial leaves nothing to take back. Both are hot loops and compiled, see {@link HourMoves}.
 *
 * There may be several draws of the capacity, whose exceedance is summed: traffic is moved and counted once, and a volume
 * with the same capacity in all draws is looked at once, too.
 */
export class HourSlack {
  /** Sum of what is above capacity, over all draws. */
  exceedance = 0;
  /** Who is to move, written by whoever asks: flight, and its old delay times 65536 plus the new one. */
  readonly orders: Int32Array;

  readonly #rowShift: number;
  readonly #perHour: number;
  readonly #rows: CapacityRows;
  /** Volumes that are above capacity without any plan: what a plan gains or loses, it nearly always does there. */
  readonly #crowdedRows: readonly number[];
  /** Sum of what is above capacity in those volumes. */
  #crowdedExceedance: number;
  /** Count minus capacity for each rolling hour; far below 0 where there is no limit and outside the day. */
  readonly #slack: Int32Array;
  /** What is above capacity in each row of capacities. */
  readonly #rowExceedance: Int32Array;
  readonly #moves: HourMoves;
  /** All visits, and those to crowded volumes only. */
  readonly #all: number;
  readonly #crowded: number;
  #held = false;

  constructor(instance: Instance, draws: readonly Float64Array[] = [instance.capacity], moving = movedHours) {
    const visits = flightVisitsOf(instance, () => true);
    const rows = capacityRows(draws, instance.binCount);
    const slack = slackWithoutPlan(instance, visits, rows);
    const rowExceedance = new Int32Array(rows.weight.length);
    slack.forEach((above, cell) => {
      if (above > 0) rowExceedance[cell >> visits.rowShift] += above;
    });
    this.#rowShift = visits.rowShift;
    this.#perHour = visits.perHour;
    this.#rows = rows;
    this.#rowExceedance = rowExceedance;
    this.#crowdedRows = [...instance.volumeIds.keys()].filter((volume) => this.exceedanceOf(volume) > 0);
    const crowded = flightVisitsOf(instance, (volume) => this.#crowdedRows.includes(volume));
    this.exceedance = rowExceedance.reduce((sum, above, row) => sum + above * rows.weight[row], 0);
    this.#crowdedExceedance = this.exceedance;
    const moved: MovedHours = moving({ rows, slack, rowExceedance }, [visits, crowded], instance.flightIds.length);
    this.#slack = moved.slack;
    this.#rowExceedance = moved.rowExceedance;
    this.orders = moved.orders;
    this.#moves = moved.moves;
    [this.#all, this.#crowded] = moved.sets;
  }

  /** What exceedance would be after the first `count` orders. The moves can be held for {@link move}, if they are likely to stay. */
  exceedanceAfter(count: number, hold: boolean): number {
    this.#collect(this.#all, count);
    this.#held = hold;
    return this.exceedance + this.#moves.settle(0, hold ? -1 : 0);
  }

  /** What exceedance would be at least: that of crowded volumes, because that of others is never below 0. Much cheaper. */
  leastExceedanceAfter(count: number): number {
    this.#collect(this.#crowded, count);
    return this.#crowdedExceedance + this.#moves.settle(0, 0);
  }

  /** Carries out the first `count` orders; if moves are held, it is those. */
  move(count: number): void {
    if (!this.#held) this.#collect(this.#all, count);
    this.#held = false;
    this.exceedance += this.#moves.settle(-1, 0);
    this.#crowdedExceedance = 0;
    for (const row of this.#crowdedRows) this.#crowdedExceedance += this.exceedanceOf(row);
  }

  /**
   * Flights above capacity in the rolling hour that starts with a bin, over all draws; negative below it, or 0 where the
   * draws differ.
   */
  over(volume: number, bin: number): number {
    const { extraAt, weight } = this.#rows;
    const cell = this.#perHour + bin;
    const own = this.#slack[(volume << this.#rowShift) + cell];
    if (extraAt[volume] === extraAt[volume + 1]) return own * weight[volume];
    let sum = Math.max(0, own) * weight[volume];
    for (let row = extraAt[volume]; row < extraAt[volume + 1]; row++) {
      sum += Math.max(0, this.#slack[(row << this.#rowShift) + cell]) * weight[row];
    }
    return sum;
  }

  /** The first bin from `fromBin` on whose rolling hour is above capacity in some draw; -1 if there is none. */
  nextOver(volume: number, fromBin: number, binCount: number): number {
    const { extraAt } = this.#rows;
    if (extraAt[volume] < extraAt[volume + 1]) {
      for (let bin = fromBin; bin < binCount; bin++) if (this.over(volume, bin) > 0) return bin;
      return -1;
    }
    const slack = this.#slack;
    const day = (volume << this.#rowShift) + this.#perHour;
    for (let cell = day + fromBin; cell < day + binCount; cell++) if (slack[cell] > 0) return cell - day;
    return -1;
  }

  /** Sum of what is above capacity in a volume, over all draws. */
  exceedanceOf(volume: number): number {
    const { extraAt, weight } = this.#rows;
    let sum = this.#rowExceedance[volume] * weight[volume];
    for (let row = extraAt[volume]; row < extraAt[volume + 1]; row++) sum += this.#rowExceedance[row] * weight[row];
    return sum;
  }

  /** Forgets the moves that are held, if there are some: others are to be carried out. */
  drop(): void {
    if (!this.#held) return;
    this.#held = false;
    this.#moves.settle(0, 0);
  }

  /** Sums up per cell which visits leave it and which come to it. */
  #collect(visits: number, count: number): void {
    this.drop();
    this.#moves.collect(visits, count);
  }
}

/** Count minus capacity for each rolling hour of each row of capacities, with no flight delayed. */
function slackWithoutPlan(
  { binCount, flightIds }: Instance,
  visits: FlightVisits,
  { limits, weight, extraAt }: CapacityRows,
): Int32Array {
  const { perHour, rowShift, visit, edgeStart, edgeVolume, edgeMinute, placeOfMinute } = visits;
  const slack = new Int32Array(weight.length << rowShift).fill(NO_LIMIT);
  for (let row = 0; row < weight.length; row++) {
    for (let bin = 0; bin < binCount; bin++) {
      // A limit above every count limits nothing.
      slack[(row << rowShift) + perHour + bin] = Math.max(NO_LIMIT, -limits[row * binCount + bin]);
    }
  }
  const inHour = new Int32Array((extraAt.length - 1) << rowShift);
  for (let i = 0; i < visit.length; i++) inHour[visit[i] >> 6]++;
  for (let i = 0; i < edgeStart[flightIds.length]; i++) {
    inHour[(edgeVolume[i] << rowShift) + placeOfMinute[edgeMinute[i]]]++;
  }
  // Visits of a bin become those of the hour it begins. None of them is of the next row: its first cells have no visits.
  for (let cell = 0; cell < inHour.length; cell++) {
    for (let later = cell + 1; later < Math.min(cell + perHour, inHour.length); later++) inHour[cell] += inHour[later];
  }
  for (let volume = 0; volume < extraAt.length - 1; volume++) {
    addHours(volume, volume);
    for (let row = extraAt[volume]; row < extraAt[volume + 1]; row++) addHours(row, volume);
  }
  return slack;

  function addHours(row: number, volume: number): void {
    const [to, from] = [row << rowShift, volume << rowShift];
    for (let cell = 0; cell < 1 << rowShift; cell++) slack[to + cell] += inHour[from + cell];
  }
}
