// A command for every item, many at once: what was typed, which items, a run of them.
export { readCommand, shownCommand, wordsFor } from "./command-words.ts";
export { hasFailed, type ItemRun, type MapItem, shortened } from "./item-run.ts";
export { type ItemFormat, readItems } from "./items.ts";
export { checkCommand, failedAgain, type MapRecord, mapRun, newMap, recordedMap } from "./map-run.ts";
export type { ItemListener, MapResult } from "./map-search.ts";
