import type { Problem } from "@coppice/search";

/** Squares in the order the knight visited them. */
export type Tour = readonly number[];

const jumps = [
  [1, 2],
  [2, 1],
  [2, -1],
  [1, -2],
  [-1, -2],
  [-2, -1],
  [-2, 1],
  [-1, 2],
] as const;

/** A knight that visits every square of a board once; squares with few ways on are likelier (Warnsdorff). */
export function knightsTour(size: number): Problem<Tour, number> {
  const reachable = Array.from({ length: size * size }, (_, square) =>
    jumps.flatMap(([dx, dy]) => {
      const [x, y] = [(square % size) + dx, Math.floor(square / size) + dy];
      return x >= 0 && x < size && y >= 0 && y < size ? [y * size + x] : [];
    }),
  );
  const free = (tour: Tour) => reachable[tour[tour.length - 1]].filter((square) => !tour.includes(square));
  return {
    root: [0],
    actions: free,
    step: (tour, square) => [...tour, square],
    isTerminal: (tour) => free(tour).length === 0,
    key: (tour) => tour.join("-"),
    prior: (tour, squares) => squares.map((square) => -2 * free([...tour, square]).length),
  };
}
