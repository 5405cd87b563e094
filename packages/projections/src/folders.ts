// Configurations in folders, measured, compared and promoted: what the commands of `coppice tune` work on.

export { compareFolders } from "./folders/compare-folders.ts";
export { type Answer, type MeasureOptions, measureFolder } from "./folders/measure-folder.ts";
export { type Promotion, promoteWinners } from "./folders/promote-winners.ts";
