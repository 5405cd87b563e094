// The light way to child processes: nothing else of the engine is loaded.
export { childrenBelow, endStarted } from "./children-below.ts";
export { type CommandLine, readCommandLine, shellWord, splitWords } from "./command-line.ts";
export { LiveGroups } from "./live-groups.ts";
export { endMarkedProcesses, inheritedMark, markedProcesses, RUN_MARK } from "./marked-processes.ts";
export type { Output } from "./output.ts";
export { afterLooking } from "./patient-timer.ts";
export { processStart } from "./process-table.ts";
export { type ChildRun, type Ending, type Limits, runChild } from "./run-child.ts";
export { endProcess, groupAlive } from "./send-signal.ts";
