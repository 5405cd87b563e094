import { chooseBin } from "./choose.mjs";
import { inOrder } from "./order.mjs";

/** Packs parcels into as few boxes as it can. */
export function pack(sizes, capacity) {
  const boxes = [];
  for (const size of inOrder(sizes)) {
    const at = chooseBin(boxes, size);
    if (at === undefined) boxes.push({ free: capacity - size, sizes: [size] });
    else {
      boxes[at].free -= size;
      boxes[at].sizes.push(size);
    }
  }
  return boxes;
}
