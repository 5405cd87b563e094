// For tools that prepare runs and take them to their end: a directory, a cache, readers, and what is known afterwards.
export type { RunReader } from "./contract/event.ts";
export { type CommandRecord, commandRecord, recordedCommand } from "./session/command-record.ts";
export { type LoadedModule, loadModule, prepareModule, prepareRecordedModule } from "./session/module-run.ts";
export type { PreparedRun, RunShapeChoices } from "./session/prepared-run.ts";
export {
  type EndedRun,
  type EndedSession,
  type RunOrigin,
  runToEnd,
  type SessionOptions,
} from "./session/run-to-end.ts";
