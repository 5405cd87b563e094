import { writeFileSync } from "node:fs";
import { pack } from "./pack.mjs";
import { CAPACITY, parcelsOf } from "./parcels.mjs";

// Packs so many days and writes how full the boxes were: node sweep.mjs <results.csv> <days>
const [results, days] = process.argv.slice(2);
const rows = Array.from({ length: Number(days) }, (_, day) => {
  const parcels = parcelsOf(day);
  const boxes = pack(parcels, CAPACITY).length;
  const volume = parcels.reduce((sum, size) => sum + size, 0);
  return [day, volume / (boxes * CAPACITY), boxes].join(",");
});
writeFileSync(results, `${["config_id,fill,boxes", ...rows].join("\n")}\n`);
