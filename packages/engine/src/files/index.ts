// The light way to files that are written whole, tables that are read strictly, and what is wrong with a file: nothing else of the engine is loaded.
export { type CsvRow, csvText, readCsv, readCsvTable } from "./csv.ts";
export {
  entriesIn,
  isExecutable,
  isFolder,
  isPlainFile,
  removeIfEmpty,
  statIfThere,
  textIfThere,
} from "./if-there.ts";
export { makeDirectory } from "./make-directory.ts";
export { isSlip } from "./misspelt.ts";
export { refuseReservedKeys, refuseReservedName } from "./reserved-key.ts";
export { syncPath } from "./sync-path.ts";
export { misspeltField, unknownKey } from "./unknown-key.ts";
export { unreadable, unwritable, wrongSyntax } from "./unreadable.ts";
export { writeDurably } from "./write-whole.ts";
export { type Complaint, wrongField } from "./wrong-field.ts";
