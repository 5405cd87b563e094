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

/** A regulation without a rate: where, when and for whom. */
export type Measure = Omit<Regulation, "ratePerHour">;

/** Regulations in the order they are applied; each meets the traffic as delayed by those before it. */
export type Plan = readonly Regulation[];

/** No flight is delayed by more than this in total; so delays fit into bytes. */
export const MAX_DELAY_MINUTES = 240;

/** Flows of a volume fit into the bits of a 32-bit integer. */
export const MAX_FLOWS = 31;

/** Whether two are of the same volume and window. */
export function samePlace(a: PlaceAndTime, b: PlaceAndTime): boolean {
  return a.volume === b.volume && a.fromBin === b.fromBin && a.toBin === b.toBin;
}

type PlaceAndTime = Pick<Measure, "volume" | "fromBin" | "toBin">;

/** Whether two lines of a plan say the same. */
export function sameRegulation(a: Regulation, b: Regulation): boolean {
  return a === b || (a.ratePerHour === b.ratePerHour && a.flows === b.flows && samePlace(a, b));
}

/** The set that holds the given flows. */
export function flowSet(flows: Iterable<number>): number {
  let set = 0;
  for (const flow of flows) set |= 1 << flow;
  return set;
}

/** The flows of a set, ascending. */
export function flowsOf(set: number): number[] {
  const flows: number[] = [];
  for (let flow = 0; flow < MAX_FLOWS; flow++) if ((set & (1 << flow)) !== 0) flows.push(flow);
  return flows;
}

/** Equal plans, and only those, have equal keys. */
export function planKey(plan: Plan): string {
  let key = "";
  for (const { volume, fromBin, toBin, flows, ratePerHour } of plan) {
    key += `${volume} ${fromBin} ${toBin} ${flows} ${ratePerHour},`;
  }
  return key;
}

/**
 * Slots are whole multiples of 60 / rate apart and carry rounding errors; a wait that is a whole number of minutes but
 * for those must not be rounded up to the next one.
 */
const ROUNDING_MINUTES = 1e-9;

/** Whole minutes from a wish to a slot, rounded up. */
export function waitMinutes(slot: number, wish: number): number {
  return Math.ceil(slot - wish - ROUNDING_MINUTES);
}

/** Whether two lines are of the same volume, window and flows, which a plan must not have. */
export function hasDuplicate(plan: Plan): boolean {
  for (let a = 1; a < plan.length; a++) {
    for (let b = 0; b < a; b++) if (plan[a].flows === plan[b].flows && samePlace(plan[a], plan[b])) return true;
  }
  return false;
}
