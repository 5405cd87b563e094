import { defineEvaluator } from "@coppice/engine/evaluator";
import type { TreeContext, TreeTask, TreeValue } from "../contract.ts";
import { settingsOnDisk, type TreeSettings } from "../settings.ts";
import { pretend } from "./pretend.ts";

export default defineEvaluator<TreeContext, TreeSettings, TreeTask, TreeValue>({
  setup: ({ runRoot }) => settingsOnDisk(runRoot),
  evaluate: (settings, task) => pretend(settings, task),
});
