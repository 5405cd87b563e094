/** A source map, as far as packing looks at it. */
export interface SourceMap {
  readonly sources: readonly string[];
  readonly mappings: string;
}

/** Where a piece of a line comes from: its column, then source, line and column there. */
type Segment = readonly [column: number, source: number, line: number, sourceColumn: number];

/**
 * The same map with one segment per source line that a built line comes from, instead of one per word: stack
 * traces and breakpoints need the line, and who only runs the package should not download columns.
 */
export function lineMap<Map extends SourceMap>(map: Map): Map {
  let read: Segment = [0, 0, 0, 0];
  let written: Segment = read;
  const lines = map.mappings.split(";").map((line) => {
    read = [0, read[1], read[2], read[3]];
    written = [0, written[1], written[2], written[3]];
    let last = -1;
    const kept: string[] = [];
    for (const text of line.split(",").filter(Boolean)) {
      read = sum(read, numbersOf(text));
      if (read[2] === last) continue;
      last = read[2];
      kept.push(read.map((value, at) => textOf(value - written[at])).join(""));
      written = read;
    }
    return kept.join(",");
  });
  return { ...map, mappings: lines.join(";") };
}

function sum(segment: Segment, change: readonly number[]): Segment {
  const [column, source, line, sourceColumn] = segment.map((value, at) => value + change[at]);
  return [column, source, line, sourceColumn];
}

const DIGITS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
/** A digit has five bits of a number, the lowest first, and one that says whether more follow; the first bit of all is the sign. */
const BITS = 5;
const MORE = 1 << BITS;

function numbersOf(text: string): number[] {
  const numbers: number[] = [];
  let [value, shift] = [0, 0];
  for (const letter of text) {
    const digit = DIGITS.indexOf(letter);
    value += (digit & (MORE - 1)) << shift;
    shift += BITS;
    if ((digit & MORE) !== 0) continue;
    numbers.push((value & 1) === 1 ? -(value >> 1) : value >> 1);
    [value, shift] = [0, 0];
  }
  return numbers;
}

function textOf(number: number): string {
  let rest = number < 0 ? (-number << 1) | 1 : number << 1;
  let text = "";
  do {
    const digit = rest & (MORE - 1);
    rest >>>= BITS;
    text += DIGITS[rest > 0 ? digit | MORE : digit];
  } while (rest > 0);
  return text;
}
