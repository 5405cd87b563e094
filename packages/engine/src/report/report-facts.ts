import { basename } from "node:path";
import { shellWord } from "../child-process/command-line.ts";
import type { CommandContext } from "../command/command-evaluator.ts";
import type { RunEnd, RunStart } from "../contract/event.ts";
import { counted, formatCount, formatMeasured } from "../display/figures.ts";
import { beginning } from "../display/printable.ts";
import type { RunFile } from "../run-directory/run-file.ts";
import type { ReportFact, RunReport } from "./run-report.ts";

/** How a run stands; `cut off` ended without a word. Who only heard its events cannot tell: `unfinished`. */
export type RunState = RunEnd["state"] | "running" | "cut off" | "unfinished";

export function runState({ end, running }: RunReport): RunState {
  if (end !== undefined) return end.state;
  return running === undefined ? "unfinished" : running ? "running" : "cut off";
}

/** What identifies a run and what its result depends on, in the order people ask for it. */
export function reportFacts(report: RunReport): ReportFact[] {
  const { start, end, counts } = report;
  const facts: ReportFact[] = [];
  const add = (name: string, value: string | undefined) => {
    if (value !== undefined) facts.push({ name, value });
  };
  add("run", start?.id);
  add("tool", start?.tool);
  add("state", runState(report));
  add("digest", end?.state === "done" ? end.digest : undefined);
  add("reproducible from", reproducibleFrom(end));
  add("seed", start === undefined ? undefined : String(start.seed));
  add("lookahead", start === undefined ? undefined : formatCount(start.lookahead));
  add("pool", start === undefined ? undefined : poolText(start.pool, start.workers || report.workers.length));
  add("started", new Date(report.startedAt).toISOString());
  add("time at work", formatMeasured(report.activeMs));
  if (report.sessions > 1)
    add("sessions", `${formatCount(report.sessions)} (resumed ${formatCount(report.sessions - 1)}×)`);
  if (report.reused > 0) add("reused at resume", `${formatCount(report.reused)} outcomes`);
  add("asked, told", `${formatCount(report.asked)}, ${formatCount(report.told)}`);
  add(
    "evaluations",
    `${formatCount(counts.completed)} completed, ${formatCount(counts.failed)} failed, ${counted(counts.retried, "attempt")} tried again`,
  );
  if (counts.cached > 0) add("from the cache", formatCount(counts.cached));
  if (counts.requeued > 0) add("requeued", formatCount(counts.requeued));
  if (counts.cancelled > 0) add("cancelled", formatCount(counts.cancelled));
  facts.push(...report.facts);
  return facts;
}

function poolText(kind: string, workers: number): string {
  return workers === 0 ? kind : `${kind}, ${counted(workers, "worker")}`;
}

function reproducibleFrom(end: RunEnd | undefined): string | undefined {
  if (end?.state !== "done") return undefined;
  const { reproducible } = end;
  if (reproducible.from === "seed") return "its seed";
  return `its journal, not its seed: ${reproducible.reason} at tell ${formatCount(reproducible.tell)}`;
}

const MAX_OPTIONS_LENGTH = 2000;

/** How a run began, from its `run.json`; how many workers it had is not written there. */
export function startOf(file: Omit<RunFile, "format" | "createdAt">, directory: string): RunStart {
  const { id, tool, pool, seed, lookahead } = file;
  return { id, tool, directory, pool: pool.kind, workers: 0, seed, lookahead };
}

/** What `run.json` says of a run besides its start. */
export function factsOf(file: Omit<RunFile, "format" | "id" | "createdAt">): ReportFact[] {
  const { evaluator, context, retries, timeoutMs, onFailure, inputs, versions, options } = file;
  const facts: ReportFact[] = [
    {
      name: "evaluator",
      value: `${commandIn(evaluator.url, context) ?? basename(evaluator.url)}, version ${evaluator.version}`,
    },
    { name: "retries", value: formatCount(retries) },
    { name: "timeout", value: timeoutMs === 0 ? "none" : formatMeasured(timeoutMs) },
    { name: "on failure", value: onFailure },
    ...(inputs === undefined ? [] : [{ name: "inputs", value: inputs }]),
    { name: "versions", value: `coppice ${versions.coppice}, Node ${versions.node}` },
  ];
  if (options !== null && options !== undefined) {
    const text = JSON.stringify(options);
    facts.push({
      name: "options",
      value: beginning(text, MAX_OPTIONS_LENGTH),
    });
  }
  return facts;
}

/** The command that evaluates, as somebody would type it; undefined when a module does. */
function commandIn(url: string, context: string): string | undefined {
  if (!/\/command\/evaluator\.[jt]s\?cwd=/.test(url)) return undefined;
  try {
    const { command } = JSON.parse(context) as CommandContext;
    return command.map(shellWord).join(" ");
  } catch {
    return undefined; // a damaged record is shown as far as it goes
  }
}
