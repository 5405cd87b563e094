// The light way to files that are written whole, tables that are read strictly, and what is wrong with a file: nothing else of the engine is loaded.
export { type CsvRow, csvText, readCsv, readCsvTable } from "./files/csv.ts";
export { makeDirectory } from "./files/make-directory.ts";
export { refuseReservedKeys, refuseReservedName } from "./files/reserved-key.ts";
export { syncPath } from "./files/sync-path.ts";
export { writeDurably } from "./files/write-whole.ts";
export { wrongField } from "./files/wrong-field.ts";
