import { instantiate, memoryOf } from "../web-assembly.ts";
import type { CapacityRows } from "./capacity-rows.ts";
import type { FlightVisits } from "./flight-visits.ts";
import { hourMovesWasm } from "./hour-moves-wasm.ts";

/** What a day's rolling hours are made of; rows of cells are laid out as in {@link FlightVisits}. */
export interface HourColumns {
  readonly rows: CapacityRows;
  /** Count minus capacity for each rolling hour of each row of capacities. */
  readonly slack: Int32Array;
  /** What is above capacity in each row of capacities. */
  readonly rowExceedance: Int32Array;
}

/** Moves the visits of flights from hour to hour, and says what that does to exceedance. */
export interface HourMoves {
  /** Sums up per cell which visits of a set leave it and which come to it, for the first `count` of `orders`. */
  collect(set: number, count: number): void;
  /** By how much exceedance grows by what was collected, over all draws; -1 if the moves are to stay, or needed again. */
  settle(kept: -1 | 0, held: -1 | 0): number;
}

/** The columns that {@link HourMoves} read and write, and what it calls each set of visits. */
export interface MovedHours extends HourColumns {
  /** Who moves: flight, and its old delay times 65536 plus the new one. */
  readonly orders: Int32Array;
  readonly moves: HourMoves;
  readonly sets: readonly number[];
}

type Exports = HourMoves & Record<string, { value: number }>;

/** Puts the columns where compiled code (hour-moves.as) can reach them. */
export function movedHours(columns: HourColumns, visitSets: readonly FlightVisits[], flightCount: number): MovedHours {
  const { rowShift, perHour, placeOfMinute, delayShift } = visitSets[0];
  const { extraAt, weight } = columns.rows;
  const rowCount = extraAt.length - 1;
  const { slack, rowExceedance } = columns;
  const orders = new Int32Array(2 * flightCount);
  const mostVisits = Math.max(...visitSets.map(({ visit }) => visit.length));
  const shared = {
    ...{ placeOfMinute, delayShift, extraAt, weight, slack, rowExceedance, orders },
    // The last hours are looked at four at a time, too.
    moved: new Int32Array((rowCount << rowShift) + perHour),
    touched: new Int32Array(2 * rowCount + 1),
    // Up to four moves are written of which none may count.
    moves: new Int32Array(2 * (mostVisits + 4)),
  };
  const sets = visitSets.map(({ start, visit, edgeStart, edgeVolume, edgeMinute }) => {
    // Four visits are read where there may be one.
    const readable = new Int32Array(visit.length + 4);
    readable.set(visit);
    return { start, visit: readable, edgeStart, edgeVolume, edgeMinute };
  });
  const columnsOfSets = sets.flatMap(Object.values);
  const bytes = [...Object.values(shared), ...columnsOfSets].reduce(
    (sum, { byteLength }) => sum + byteLength,
    4 * columnsOfSets.length,
  );
  const memory = memoryOf(bytes);
  let end = 0;
  const place = (column: Int32Array): Int32Array<ArrayBuffer> => {
    const placed = new Int32Array(memory.buffer, end, column.length);
    placed.set(column);
    end += column.byteLength;
    return placed;
  };
  const placed = mapValues(shared, place);
  const setAt = sets.map((set) => {
    const addresses = Object.values(mapValues(set, place)).map(({ byteOffset }) => byteOffset);
    return place(Int32Array.from(addresses)).byteOffset;
  });
  const moves = instantiate<Exports>(hourMovesWasm, memory);
  const globals = { ...mapValues(placed, ({ byteOffset }) => byteOffset), rowShift, perHour, rowCount };
  for (const [name, value] of Object.entries(globals)) moves[name].value = value;
  return { ...columns, ...placed, moves, sets: setAt };
}

function mapValues<Name extends string, From, To>(of: Record<Name, From>, to: (value: From) => To): Record<Name, To> {
  // Cast: the names are those of the object.
  return Object.fromEntries(Object.entries<From>(of).map(([name, value]) => [name, to(value)])) as Record<Name, To>;
}
