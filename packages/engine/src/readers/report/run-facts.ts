import { basename } from "node:path";
import type { RunStart } from "../../contract/event.ts";
import type { RunFile } from "../../run-directory/run-file.ts";
import { formatCount, formatMeasured } from "../figures.ts";
import type { ReportFact } from "./run-report.ts";

const MAX_OPTIONS_LENGTH = 2000;

/** How a run began, from its `run.json`; how many workers it had is not written there. */
export function startOf(file: Omit<RunFile, "format" | "createdAt">, directory: string): RunStart {
  const { id, tool, pool, seed, lookahead } = file;
  return { id, tool, directory, pool: pool.kind, workers: 0, seed, lookahead };
}

/** What `run.json` says of a run besides its start. */
export function factsOf(file: Omit<RunFile, "format" | "id" | "createdAt">): ReportFact[] {
  const { evaluator, retries, timeoutMs, onFailure, inputs, versions, options } = file;
  const facts: ReportFact[] = [
    { name: "evaluator", value: `${basename(evaluator.url)}, version ${evaluator.version}` },
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
      value: text.length > MAX_OPTIONS_LENGTH ? `${text.slice(0, MAX_OPTIONS_LENGTH)}…` : text,
    });
  }
  return facts;
}
