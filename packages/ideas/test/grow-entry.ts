// Grows a tree as a coordinator of its own: node grow-entry.ts <settings.json> <run root>
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { TreeSettings } from "../src/settings.ts";
import { grow } from "./dry-tree.ts";

const [, , settingsPath, runRoot] = process.argv;
const settings = JSON.parse(readFileSync(settingsPath, "utf8")) as TreeSettings;
await grow(runRoot, settings, { resume: existsSync(join(runRoot, "run.json")) });
