import { UsageError } from "@coppice/engine/usage-error";
import {
  configuredEvents,
  describeProblem,
  describeStaging,
  type Problem,
  placesOf,
  type StagedEvent,
  stageEvent,
  subjectField,
} from "@coppice/hooks";
import { projectDirectory, refuseIfNone } from "./project.ts";

/** Options of `coppice hooks plan`. */
export interface PlanOptions {
  readonly project?: string;
  readonly subject?: string;
  readonly json?: boolean;
}

/** `coppice hooks plan`: stages and reasons; runs nothing. */
export async function printPlan(event: string | undefined, options: PlanOptions): Promise<number> {
  const places = placesOf(projectDirectory(options.project), process.env);
  const unreadable: Problem[] = [];
  const events = configuredEvents(places, unreadable);
  refuseIfNone(events, unreadable);
  if (event !== undefined && !events.includes(event)) {
    const known = events.length === 0 ? "no hooks are configured here" : `configured are ${events.join(", ")}`;
    throw new UsageError(`nothing is configured for ${event}; ${known}`);
  }
  const problems = new Set(unreadable.map(describeProblem));
  const plans: { event: string; plan: StagedEvent["staging"]; matchersOpen: boolean }[] = [];
  for (const name of event === undefined ? events : [event]) {
    const field = subjectField(name);
    const input = field !== undefined && options.subject !== undefined ? { [field]: options.subject } : {};
    const planned = await stageEvent(name, input, places);
    for (const problem of planned.problems) problems.add(describeProblem(problem));
    plans.push({
      event: name,
      plan: planned.staging,
      matchersOpen: field !== undefined && options.subject === undefined,
    });
  }
  if (options.json) {
    const shown = plans.map(({ event: name, plan }) => ({
      event: name,
      stages: plan.stages.map((stage) => stage.map((index) => plan.hooks[index].name)),
      edges: plan.edges.map(({ from, to, reasons }) => ({
        from: plan.hooks[from].name,
        to: plan.hooks[to].name,
        reasons,
      })),
      serialBecause: plan.serialBecause ?? null,
    }));
    process.stdout.write(`${JSON.stringify({ plans: shown, problems: [...problems] }, null, 2)}\n`);
    return 0;
  }
  if (plans.length === 0) process.stdout.write("no hooks are configured here\n");
  for (const [index, { event: name, plan, matchersOpen }] of plans.entries()) {
    if (index > 0) process.stdout.write("\n");
    process.stdout.write(describeStaging(plan, name));
    if (matchersOpen) process.stdout.write("  (as if every matcher matched; choose with --for Bash)\n");
  }
  for (const problem of problems) process.stderr.write(`${problem}\n`);
  return 0;
}
