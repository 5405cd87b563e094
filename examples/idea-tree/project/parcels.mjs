export const CAPACITY = 100;

/** The parcels of one day: 240 sizes between 5 and 70, always the same for the same number. */
export function parcelsOf(day) {
  let state = (day * 2654435761 + 12345) >>> 0;
  return Array.from({ length: 240 }, () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return 5 + Math.floor((state / 2 ** 32) * 66);
  });
}
