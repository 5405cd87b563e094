import type { Instance } from "@coppice/airspace";

/** Delays every flight can have, and the cells (volume * binCount + bin) in which each of them counts the flight. */
export interface DelayChoices {
  /** Choices of flight f are [choiceOffset[f], choiceOffset[f + 1]). */
  readonly choiceOffset: Int32Array;
  readonly delayMinutes: Int32Array;
  /** Cells of choice c are [cellOffset[c], cellOffset[c + 1]). */
  readonly cellOffset: Int32Array;
  readonly cells: Int32Array;
}

/**
 * Lists the delays in steps of `stepMinutes` up to `mostMinutes`. Of delays that put a flight into the same bins only the
 * shortest is listed: a longer one costs more and changes nothing.
 */
export function delayChoices(instance: Instance, stepMinutes: number, mostMinutes: number): DelayChoices {
  const { visitOffset, visitVolume, takeoffSecond, entrySecond, binCount, binMinutes, flightIds } = instance;
  const choiceOffset = [0];
  const delayMinutes: number[] = [];
  const cellOffset = [0];
  const cells: number[] = [];
  for (let f = 0; f < flightIds.length; f++) {
    let before: readonly number[] | undefined;
    for (let delay = 0; delay <= mostMinutes; delay += stepMinutes) {
      const now: number[] = [];
      for (let i = visitOffset[f]; i < visitOffset[f + 1]; i++) {
        const bin = Math.floor(((takeoffSecond[f] + entrySecond[i]) / 60 + delay) / binMinutes);
        if (bin >= 0 && bin < binCount) now.push(visitVolume[i] * binCount + bin);
      }
      if (before !== undefined && same(before, now)) continue;
      before = now;
      delayMinutes.push(delay);
      cells.push(...now);
      cellOffset.push(cells.length);
    }
    choiceOffset.push(delayMinutes.length);
  }
  return {
    choiceOffset: Int32Array.from(choiceOffset),
    delayMinutes: Int32Array.from(delayMinutes),
    cellOffset: Int32Array.from(cellOffset),
    cells: Int32Array.from(cells),
  };
}

function same(a: readonly number[], b: readonly number[]): boolean {
  return a.length === b.length && a.every((cell, at) => cell === b[at]);
}
