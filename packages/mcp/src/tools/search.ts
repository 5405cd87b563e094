import { dirname, join } from "node:path";
import { UsageError } from "@coppice/engine/usage-error";
import { z } from "zod";
import { awaitRun } from "../await-run.ts";
import { type Call, optionsOf, tool } from "../tool.ts";
import { waiting } from "./consult.ts";

const computes = { readOnlyHint: false, destructiveHint: false, openWorldHint: false } as const;
const workers = {
  workers: z.int().min(1).max(1024).optional().describe("evaluations at once; never changes the answer"),
};

/** Says which flag of the server would allow it; the caller cannot. */
export function refuseCommands({ permissions }: Call, what: string): void {
  if (permissions.commands) return;
  throw new UsageError(
    `${what} starts programs that files of the project name: start "coppice mcp" with --allow-commands`,
  );
}

export const flowPlan = tool({
  name: "flow_plan",
  description: "Search for the air traffic plan that costs the network least; the same seed gives the same plan.",
  annotations: { title: "Plan a day of air traffic", ...computes },
  input: z.strictObject({
    instance: z.string().optional().describe("an instance file; by default the day that ships with coppice"),
    scenario: z.enum(["storm", "clear"]).optional(),
    evaluations: z.int().min(1).max(1_000_000_000).optional().describe("plan evaluations (100000)"),
    mode: z.enum(["episode", "stepwise"]).optional(),
    lambda: z.number().min(0).optional().describe("price of a minute of delay"),
    mu: z.number().min(0).optional().describe("price of a line of the plan"),
    robust: z.int().min(1).max(256).optional().describe("plan for n draws of the weather at once"),
    max_regulations: z.int().min(1).optional(),
    seed: z.int().optional(),
    ...workers,
    ...waiting,
  }),
  call: ({ wait_seconds, ...input }, call) => {
    const run = call.desk.start(() => ({ words: ["flow", "plan"], options: optionsOf(input) }));
    return awaitRun(run, wait_seconds, true, call);
  },
});

export const tune = tool({
  name: "tune",
  description:
    "Improve a model's parameters by a tournament across forecast horizons. Winners go to .coppice/tuned/<run>, never into the baseline.",
  annotations: { title: "Tune parameters", ...computes },
  input: z.strictObject({
    demo: z.boolean().optional().describe("invent seasons and tune on them"),
    data: z.string().optional().describe("folder of seasons"),
    baseline: z.string().optional().describe("folder where tuning starts"),
    evaluator: z.string().optional().describe("tune something else: a module that judges configurations"),
    space: z.string().optional().describe("its parameters, horizons and baseline (JSON file)"),
    holdout: z.string().optional().describe("a season left out of the tuning, to check the gain on"),
    objective: z.enum(["mae", "pairwise"]).optional(),
    horizons: z.array(z.string()).optional(),
    params: z.array(z.string()).optional(),
    num_params: z.int().min(1).optional(),
    test_values: z.int().min(1).optional(),
    max_passes: z.int().min(1).optional(),
    seed: z.int().optional(),
    ...workers,
    ...waiting,
  }),
  call: ({ wait_seconds, demo, ...input }, call) => {
    if (input.evaluator !== undefined) refuseCommands(call, "tune with an evaluator");
    const { desk } = call;
    const run = desk.start((id) => ({
      words: demo === true ? ["tune", "demo"] : ["tune"],
      options: optionsOf({ ...input, output: join(dirname(desk.runs), "tuned", id) }),
    }));
    return awaitRun(run, wait_seconds, true, call);
  },
});

export const treeStart = tool({
  name: "tree_start",
  description:
    "Grow an idea tree: apply ideas to a repository in worktrees of their own, measure each, promote the best. Takes long: it usually answers with a run id.",
  annotations: { title: "Grow an idea tree", ...computes },
  input: z.strictObject({
    config: z.string().optional().describe("the tree's configuration (coppice.tree.yaml)"),
    dry_run: z.boolean().optional().describe("pretend every step: no git, no processes, no network"),
    ideas_per_node: z.int().min(1).optional(),
    max_depth: z.int().min(1).optional(),
    beam_width: z.int().min(1).optional(),
    max_parallel_evals: z.int().min(1).max(1024).optional(),
    max_total_idea_evals: z.int().min(1).optional(),
    max_wall_seconds: z.number().positive().optional(),
    max_money: z.number().min(0).optional(),
    max_tokens: z.number().min(0).optional(),
    one_depth: z.boolean().optional().describe("grow one depth, then stop"),
    ...waiting,
  }),
  call: ({ wait_seconds, ...input }, call) => {
    if (input.dry_run !== true) refuseCommands(call, "tree_start without dry_run");
    const run = call.desk.start(() => ({ words: ["tree", "run"], options: optionsOf(input) }));
    return awaitRun(run, wait_seconds, true, call);
  },
});
