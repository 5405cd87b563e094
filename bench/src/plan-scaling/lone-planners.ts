import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import type { LonePlan, LoneRun } from "./lone-planner-entry.ts";

/** What planners that know nothing of each other took, and found. */
export interface LonePlanning extends LonePlan {
  readonly wallSeconds: number;
}

/**
 * Runs each plan search in a process of its own, without any pool: one after the other or all at once. Processes are
 * fresh each time but have the day loaded before the clock starts, so that only searching is measured.
 */
export async function planAlone(dayFile: string, runs: readonly LoneRun[], atOnce: boolean): Promise<LonePlanning> {
  const children = await Promise.all(runs.map((run) => open(dayFile, run)));
  try {
    const began = performance.now();
    const plans: LonePlan[] = [];
    if (atOnce) plans.push(...(await Promise.all(children.map(plan))));
    else for (const child of children) plans.push(await plan(child));
    return {
      wallSeconds: (performance.now() - began) / 1000,
      evaluations: plans.reduce((sum, { evaluations }) => sum + evaluations, 0),
      objective: Math.min(...plans.map(({ objective }) => objective)),
    };
  } finally {
    // Whatever is measured next has the cores to itself.
    await Promise.all(children.map(ended));
  }
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, "exit");
  if (child.connected) child.disconnect();
  await exited;
}

async function open(dayFile: string, run: LoneRun): Promise<ChildProcess> {
  const child = fork(new URL("./lone-planner-entry.ts", import.meta.url), [dayFile, JSON.stringify(run)]);
  await answer(child);
  return child;
}

async function plan(child: ChildProcess): Promise<LonePlan> {
  child.send("plan");
  return (await answer(child)) as LonePlan;
}

/** What the process says next; an error if it ends instead. */
async function answer(child: ChildProcess): Promise<unknown> {
  const said = once(child, "message");
  const ended = once(child, "exit").then(([code]) => {
    throw new Error(`a planner's process ended with code ${code}`);
  });
  const [message] = await Promise.race([said, ended]);
  return message;
}
