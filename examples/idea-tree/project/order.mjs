/** The order in which parcels are packed. */
export function inOrder(sizes) {
  return sizes;
}
