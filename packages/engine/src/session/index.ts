// For tools that prepare runs and take them to their end: a directory, a cache, readers, and what is known afterwards.
export type { RunReader } from "../contract/event.ts";
export { type CommandRecord, commandRecord, recordedCommand } from "./command-record.ts";
export { type LoadedModule, loadModule, prepareModule, prepareRecordedModule } from "./module-run.ts";
export type { PreparedRun, RunShapeChoices } from "./prepared-run.ts";
export { type ReservedDirectory, reserveDirectory } from "./reserved-directory.ts";
export { PAGE_NAME } from "./run-page.ts";
export {
  type EndedRun,
  type EndedSession,
  type RunOrigin,
  runToEnd,
  type SessionOptions,
} from "./run-to-end.ts";
