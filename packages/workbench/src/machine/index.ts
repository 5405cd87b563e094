// What this machine has and allows, each thing looked at as one finding.
export { bytesText, type Finding } from "./finding.ts";
export { coresFinding, descriptorFinding, memoryFinding } from "./limits.ts";
export { nodeFinding } from "./node.ts";
export { type Place, placeFinding } from "./place.ts";
export { type Program, programFindings } from "./programs.ts";
export { wantedPrograms } from "./wanted-programs.ts";
