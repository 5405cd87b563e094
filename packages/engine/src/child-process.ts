// The light way to child processes: nothing else of the engine is loaded.
export { childrenBelow, endStarted } from "./child-process/children-below.ts";
export { type CommandLine, readCommandLine, shellWord, splitWords } from "./child-process/command-line.ts";
export { LiveGroups } from "./child-process/live-groups.ts";
export { endMarkedProcesses, inheritedMark, markedProcesses, RUN_MARK } from "./child-process/marked-processes.ts";
export type { Output } from "./child-process/output.ts";
export { processStart } from "./child-process/process-table.ts";
export { type ChildRun, type Ending, type Limits, runChild } from "./child-process/run-child.ts";
export { endProcess, groupAlive } from "./child-process/send-signal.ts";
