/**
 * Writes data/us-2001-06-29/clear.instance.br, and storm.capacity.br with what is different in the storm, from the tables
 * and rules beside them. Run it from the project's root when one of those, or how a day is imported, has changed:
 *
 *   node packages/airspace/scripts/pack-us-day.ts
 */
import { writeFileSync } from "node:fs";
import { brotliCompressSync } from "node:zlib";
import { usDayFromTables } from "../src/import/us-day-tables.ts";
import { encodeInstance } from "../src/instance/artifact.ts";
import { usDayFolder } from "../src/instance/us-day.ts";

function write(file: string, bytes: Uint8Array): void {
  writeFileSync(new URL(file, usDayFolder), brotliCompressSync(bytes));
}

write("clear.instance.br", encodeInstance(usDayFromTables("clear")));
const { buffer, byteOffset, byteLength } = usDayFromTables("storm").capacity;
write("storm.capacity.br", new Uint8Array(buffer, byteOffset, byteLength));
