// The light way to the process table: nothing else of the engine is loaded.
export { descendants, type ProcessIdentity } from "./process-table/descendants.ts";
export { processStart } from "./process-table/process-start.ts";
