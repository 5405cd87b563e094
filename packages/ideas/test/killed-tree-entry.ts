import { existsSync } from "node:fs";
import { join } from "node:path";
import { growTree } from "../src/run/grow-tree.ts";
import { dryPlan } from "./dry-tree.ts";

// A coordinator of its own, to be killed: grows the tree of the tests in the given directory, from wherever it stands.
const [runRoot = "", work = "{}"] = process.argv.slice(2);
await growTree({
  runRoot,
  plan: dryPlan({ work: { maxParallelEvals: 3, parallelBackend: "threads", ...JSON.parse(work) } }),
  resume: existsSync(join(runRoot, "run.json")),
  evaluator: new URL("./tree-evaluator.ts", import.meta.url),
  ground: undefined,
});
