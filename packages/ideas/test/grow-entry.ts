// Grows a tree as a coordinator of its own: node grow-entry.ts <settings.json> <run root>
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { growTree } from "../src/run/grow-tree.ts";
import { openTree } from "../src/run/recorded-tree.ts";
import type { TreeSettings } from "../src/settings.ts";

const [, , settingsPath, runRoot] = process.argv;
const settings = JSON.parse(readFileSync(settingsPath, "utf8")) as TreeSettings;
const evaluator = new URL("../src/evaluate/evaluator.ts", import.meta.url);
const resume = existsSync(join(runRoot, "run.json"));
await growTree({ tree: openTree(runRoot, settings), resume, evaluator });
