import { binsPerHour, type Instance, wholeCapacity } from "@coppice/airspace";
import highsModule from "highs";
import type { DelayChoices } from "./delay-choices.ts";

export interface ExactDelays {
  /** What the best delays found cost. */
  readonly objective: number;
  /** What HiGHS has proven that no choice of these delays can be below. */
  readonly bound: number;
  readonly optimal: boolean;
  readonly variables: number;
}

/** The package's types describe its CommonJS form, in which the loader is one level deeper. */
const loadHighs = highsModule as unknown as typeof highsModule.default;

/** Relative distance between objective and bound at which HiGHS calls a solution optimal. */
const GAP = 1e-3;

/**
 * The cheapest delays by integer programming (HiGHS): x[c] = 1 if a flight takes choice c, y[v, t] flights above capacity
 * of a rolling hour; minimise sum of y + lambda * sum of delay * x. Rolling hours that cannot be too full are left out.
 */
export async function exactDelays(
  instance: Instance,
  choices: DelayChoices,
  lambda: number,
  timeLimitSeconds: number,
): Promise<ExactDelays> {
  const highs = await loadHighs();
  const { choiceOffset, delayMinutes, cellOffset, cells } = choices;
  const flightCount = choiceOffset.length - 1;
  const choiceCount = delayMinutes.length;
  const hours = crowdedHours(instance, choices);
  const rowOfHour = new Map(hours.map((cell, at) => [cell, flightCount + at]));

  const starts = [0];
  const indices: number[] = [];
  const values: number[] = [];
  for (let f = 0; f < flightCount; f++) {
    for (let c = choiceOffset[f]; c < choiceOffset[f + 1]; c++) {
      indices.push(f);
      values.push(1);
      const counted = new Map<number, number>();
      for (let at = cellOffset[c]; at < cellOffset[c + 1]; at++) {
        for (const cell of hoursWith(instance, cells[at])) {
          const row = rowOfHour.get(cell);
          if (row !== undefined) counted.set(row, (counted.get(row) ?? 0) + 1);
        }
      }
      indices.push(...counted.keys());
      values.push(...counted.values());
      starts.push(indices.length);
    }
  }
  for (let at = 0; at < hours.length; at++) {
    indices.push(flightCount + at);
    values.push(-1);
    starts.push(indices.length);
  }
  const [numRows, numCols] = [flightCount + hours.length, choiceCount + hours.length];
  const capacity = hours.map((cell) => wholeCapacity(instance.capacity[cell]));
  const { integer, continuous } = highs.constants.variableType;
  const column = (ofChoice: (c: number) => number, ofHour: number) =>
    Array.from({ length: numCols }, (_, col) => (col < choiceCount ? ofChoice(col) : ofHour));
  const model = highs.createModel({
    numRows,
    numCols,
    colCost: column((c) => lambda * delayMinutes[c], 1),
    colLower: column(() => 0, 0),
    colUpper: column(() => 1, highs.infinity),
    rowLower: Array.from({ length: numRows }, (_, row) => (row < flightCount ? 1 : -highs.infinity)),
    rowUpper: Array.from({ length: numRows }, (_, row) => (row < flightCount ? 1 : capacity[row - flightCount])),
    matrix: { format: "csc", numRows, numCols, starts, indices, values },
    integrality: Array.from({ length: numCols }, (_, col) => (col < choiceCount ? integer : continuous)),
  });
  try {
    model.options.set({ output_flag: false, mip_rel_gap: GAP, time_limit: timeLimitSeconds });
    const { modelStatus } = model.run();
    return {
      objective: model.getObjectiveValue(),
      bound: Number(model.info.get("mip_dual_bound")),
      optimal: modelStatus === highs.constants.modelStatus.optimal,
      variables: numCols,
    };
  } finally {
    model.dispose();
  }
}

/** Rolling hours that flights could fill above capacity, were each counted wherever one of its choices puts it. */
function crowdedHours(instance: Instance, { choiceOffset, cellOffset, cells }: DelayChoices): number[] {
  const most = new Int32Array(instance.capacity.length);
  for (let f = 0; f < choiceOffset.length - 1; f++) {
    const possible = new Map<number, number>();
    for (let c = choiceOffset[f]; c < choiceOffset[f + 1]; c++) {
      const here = new Map<number, number>();
      for (let at = cellOffset[c]; at < cellOffset[c + 1]; at++) {
        for (const cell of hoursWith(instance, cells[at])) here.set(cell, (here.get(cell) ?? 0) + 1);
      }
      for (const [cell, count] of here) possible.set(cell, Math.max(count, possible.get(cell) ?? 0));
    }
    for (const [cell, count] of possible) most[cell] += count;
  }
  return [...most.keys()].filter((cell) => most[cell] > wholeCapacity(instance.capacity[cell]));
}

/** The rolling hours, named by their first bin, that a bin belongs to. */
function hoursWith(instance: Instance, cell: number): number[] {
  const startOfDay = cell - (cell % instance.binCount);
  const first = Math.max(startOfDay, cell - binsPerHour(instance) + 1);
  return Array.from({ length: cell - first + 1 }, (_, at) => first + at);
}
