// The light way to child processes: nothing else of the engine is loaded.
export type { Output } from "./child-process/capped-output.ts";
export { type CommandLine, readCommandLine, splitWords } from "./child-process/command-line.ts";
export { LiveGroups } from "./child-process/live-groups.ts";
export { endGroup, groupAlive, signalGroup } from "./child-process/process-group.ts";
export { type ChildRun, defaultLimits, type Ending, type Limits, runChild } from "./child-process/run-child.ts";
