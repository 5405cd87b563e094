/**
 * Slots are whole multiples of 60 / rate apart and carry rounding errors; a wait that is a whole number of minutes but
 * for those must not be rounded up to the next one.
 */
const ROUNDING_MINUTES = 1e-9;

/** Whole minutes from a wish to a slot, rounded up. */
export function waitMinutes(slot: number, wish: number): number {
  return Math.ceil(slot - wish - ROUNDING_MINUTES);
}
