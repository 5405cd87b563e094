/** The module workers load to judge football configurations. */
export const tuningEvaluator = new URL(
  import.meta.url.endsWith(".ts") ? "./evaluator-entry.ts" : "./evaluator-entry.js",
  import.meta.url,
);
