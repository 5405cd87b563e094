/**
 * Writes data/us-2001-06-29/{storm,clear}.instance.br from the tables and rules beside them. Run it from the project's
 * root when one of those, or how a day is imported, has changed:
 *
 *   node packages/airspace/scripts/pack-us-day.ts
 */
import { writeFileSync } from "node:fs";
import { brotliCompressSync } from "node:zlib";
import { usDayFromTables } from "../src/import/us-day-tables.ts";
import { encodeInstance } from "../src/instance/artifact.ts";
import { usDayFolder } from "../src/instance/us-day.ts";

for (const scenario of ["storm", "clear"] as const) {
  const bytes = brotliCompressSync(encodeInstance(usDayFromTables(scenario)));
  writeFileSync(new URL(`${scenario}.instance.br`, usDayFolder), bytes);
}
