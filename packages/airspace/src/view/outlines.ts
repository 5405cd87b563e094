import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import type { Ring } from "../instance/outline.ts";

/** Coasts and borders of the world, and lines between the states of the United States. */
export interface Outlines {
  readonly borders: readonly Ring[];
  readonly states: readonly Ring[];
}

let read: Outlines | undefined;

/** The lines that ship with the package (`scripts/derive-outlines.ts` says where they are from). */
export function outlines(): Outlines {
  read ??= readOutlines();
  return read;
}

function readOutlines(): Outlines {
  const packed = readFileSync(new URL("../../data/outlines.json.gz", import.meta.url));
  const { borders, states }: Record<keyof Outlines, number[][]> = JSON.parse(gunzipSync(packed).toString("utf8"));
  return { borders: borders.map(lineOf), states: states.map(lineOf) };
}

/** Points from hundredths of a degree: the first, then steps; longitude and latitude in turn. */
function lineOf(steps: readonly number[]): Ring {
  let [x, y] = [0, 0];
  return Array.from({ length: steps.length / 2 }, (_, at) => {
    x += steps[2 * at];
    y += steps[2 * at + 1];
    return [x / 100, y / 100];
  });
}
