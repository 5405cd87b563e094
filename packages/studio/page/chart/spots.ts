/** A place of a drawing that has a value, in pixels. */
export type Spot = readonly [x: number, y: number];

/** So many at a time with Shift. */
const MANY = 10;
/** Less than this apart, two stand below each other. */
const BESIDE = 0.5;

/**
 * Where a key leads from a place, undefined where it leads nowhere: left and right to the column beside, as near as possible
 * to the height, up and down within a column. Every place of a drawing is reached like that. Columns are so many pixels wide.
 */
export function nextSpot(
  spots: readonly Spot[],
  from: Spot | undefined,
  { key, shiftKey }: Pick<KeyboardEvent, "key" | "shiftKey">,
  wide = 2 * BESIDE,
): Spot | undefined {
  const columns = columnsOf(spots, wide);
  if (columns.length === 0) return undefined;
  const steps = shiftKey ? MANY : 1;
  if (key === "Home" || key === "End" || from === undefined) {
    const isLast = key === "End" || key === "ArrowLeft";
    return key === "Home" || key === "End" || key.startsWith("Arrow") ? columns.at(isLast ? -1 : 0)?.[0] : undefined;
  }
  // The drawing may have changed meanwhile.
  const near = spots.reduce((a, b) => (distance(b, from) < distance(a, from) ? b : a));
  const at = columns.findIndex((column) => column.some((spot) => isSame(spot, near)));
  const column = columns[at];
  const row = column.findIndex((spot) => isSame(spot, near));
  switch (key) {
    case "ArrowLeft":
    case "ArrowRight": {
      const beside = columns[within(columns, at + (key === "ArrowLeft" ? -steps : steps))];
      return beside.reduce((a, b) => (Math.abs(b[1] - from[1]) < Math.abs(a[1] - from[1]) ? b : a));
    }
    case "ArrowUp":
    case "ArrowDown":
      return column[within(column, row + (key === "ArrowUp" ? -steps : steps))];
    default:
      return undefined;
  }
}

/** From left to right, each from top to bottom; what lies over each other is one. */
function columnsOf(spots: readonly Spot[], wide: number): readonly (readonly Spot[])[] {
  const columns = Map.groupBy(spots, ([x]) => Math.round(x / wide));
  return [...columns]
    .sort(([a], [b]) => a - b)
    .map(([, column]) =>
      column
        .toSorted(([ax, ay], [bx, by]) => ay - by || ax - bx)
        .filter((spot, index, all) => index === 0 || !isSame(spot, all[index - 1])),
    );
}

const distance = ([ax, ay]: Spot, [bx, by]: Spot) => Math.hypot(ax - bx, ay - by);
const isSame = ([ax, ay]: Spot, [bx, by]: Spot) => Math.abs(ax - bx) < BESIDE && Math.abs(ay - by) < BESIDE;

const within = ({ length }: readonly unknown[], index: number) => Math.max(0, Math.min(length - 1, index));
