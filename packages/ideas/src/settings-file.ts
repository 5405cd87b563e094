import { readFileSync } from "node:fs";
import { join } from "node:path";
import { layout } from "./run-layout.ts";
import type { TreeSettings } from "./settings.ts";

/** What the run is doing now, as the coordinator wrote it before workers were started. */
export function readTreeSettings(runRoot: string): TreeSettings {
  // Cast: written by the coordinator of the same run.
  return JSON.parse(readFileSync(join(runRoot, layout.settings), "utf8")) as TreeSettings;
}
