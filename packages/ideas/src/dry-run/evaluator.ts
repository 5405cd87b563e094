import { defineEvaluator } from "@coppice/engine/evaluator";
import type { TreeContext, TreeTask, TreeValue } from "../contract.ts";
import type { TreeSettings } from "../settings.ts";
import { readTreeSettings } from "../settings-file.ts";
import { pretend } from "./pretend.ts";

export default defineEvaluator<TreeContext, TreeSettings, TreeTask, TreeValue>({
  setup: ({ runRoot }) => readTreeSettings(runRoot),
  evaluate: (settings, task) => pretend(settings, task),
});
