// Grows a tree as a coordinator of its own: node grow-entry.ts <plan.json> <run root>
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { listLeftovers, removeLeftovers } from "../src/ground/ground.ts";
import { growTree } from "../src/run/grow-tree.ts";
import type { TreePlan } from "../src/run/tree-plan.ts";

const [, , planPath, runRoot] = process.argv;
const plan = JSON.parse(readFileSync(planPath, "utf8")) as TreePlan;
const evaluator = new URL("../src/evaluate/evaluator.ts", import.meta.url);
const resume = existsSync(join(runRoot, "run.json"));
await growTree({ runRoot, plan, resume, evaluator, ground: { listLeftovers, removeLeftovers } });
