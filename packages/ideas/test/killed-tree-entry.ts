import { existsSync } from "node:fs";
import { join } from "node:path";
import { growTree } from "../src/run/grow-tree.ts";
import { openTree } from "../src/run/recorded-tree.ts";
import { drySettings } from "./dry-tree.ts";

// A coordinator of its own, to be killed: grows the tree of the tests in the given directory, from wherever it stands.
const [runRoot = "", work = "{}"] = process.argv.slice(2);
const settings = drySettings({ work: { maxParallelEvals: 3, parallelBackend: "threads", ...JSON.parse(work) } });
await growTree({
  tree: openTree(runRoot, settings),
  resume: existsSync(join(runRoot, "run.json")),
  evaluator: new URL("./tree-evaluator.ts", import.meta.url),
});
