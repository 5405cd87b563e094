// The light way to files that are written whole and tables that are read strictly: nothing else of the engine is loaded.
export { type CsvRow, csvText, readCsv, readCsvTable } from "./files/csv.ts";
export { makeDirectory } from "./files/make-directory.ts";
export { refuseReservedKeys, refuseReservedName } from "./files/reserved-key.ts";
export { writeDurably } from "./files/write-whole.ts";
