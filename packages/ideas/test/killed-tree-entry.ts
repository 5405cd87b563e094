import { existsSync } from "node:fs";
import { join } from "node:path";
import { drySettings, grow } from "./dry-tree.ts";

// A coordinator of its own, to be killed: grows the tree of the tests in the given directory, from wherever it is.
const [runRoot = "", work = "{}"] = process.argv.slice(2);
const settings = drySettings({ work: { maxParallelEvals: 3, parallelBackend: "threads", ...JSON.parse(work) } });
const evaluator = new URL("./tree-evaluator.ts", import.meta.url);
await grow(runRoot, settings, { evaluator, resume: existsSync(join(runRoot, "run.json")) });
