/** The box a parcel goes into; undefined for a new one. */
export function chooseBin(boxes, size) {
  const last = boxes.length - 1;
  return last >= 0 && boxes[last].free >= size ? last : undefined;
}
