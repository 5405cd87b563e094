import assert from "node:assert/strict";
import { pack } from "./pack.mjs";
import { CAPACITY, parcelsOf } from "./parcels.mjs";

// Every parcel is packed exactly once, and no box holds more than it can.
for (let day = 0; day < 3; day++) {
  const parcels = parcelsOf(day);
  const boxes = pack(parcels, CAPACITY);
  const packed = boxes.flatMap(({ sizes }) => sizes);
  const sorted = (sizes) => [...sizes].sort((a, b) => a - b);
  assert.deepEqual(sorted(packed), sorted(parcels));
  for (const { sizes } of boxes) assert.ok(sizes.reduce((sum, size) => sum + size, 0) <= CAPACITY);
}
console.log("all parcels packed");
