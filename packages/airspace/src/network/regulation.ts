/**
 * One line of a plan: slots at a volume for some of its flows. Flights whose first entry into the volume, as delayed so
 * far, lies in the window get one slot every 60 / rate minutes, first planned first served; the queue drains at the
 * same rate after the window.
 */
export interface Regulation {
  /** Index of the volume. */
  readonly volume: number;
  /** First bin of the window. */
  readonly fromBin: number;
  /** Bin after the last of the window. */
  readonly toBin: number;
  /** Set of flows: bit k stands for flow k of the volume. */
  readonly flows: number;
  readonly ratePerHour: number;
}

/** Regulations in the order they are applied; each meets the traffic as delayed by those before it. */
export type Plan = readonly Regulation[];

/** No flight is delayed by more than this in total. */
export const MAX_DELAY_MINUTES = 240;

/** Flows of a volume fit into the bits of a 32-bit integer. */
const MAX_FLOWS = 31;

/** Whether two lines of a plan say the same. */
export function sameRegulation(a: Regulation, b: Regulation): boolean {
  return (
    a === b ||
    (a.ratePerHour === b.ratePerHour &&
      a.volume === b.volume &&
      a.fromBin === b.fromBin &&
      a.toBin === b.toBin &&
      a.flows === b.flows)
  );
}

/** The set that holds the given flows. */
export function flowSet(flows: Iterable<number>): number {
  let set = 0;
  for (const flow of flows) set |= 1 << flow;
  return set;
}

/** The flows of a set, ascending. */
export function flowsOf(set: number): number[] {
  return Array.from({ length: MAX_FLOWS }, (_, flow) => flow).filter((flow) => (set & (1 << flow)) !== 0);
}
