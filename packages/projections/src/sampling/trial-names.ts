import type { RunEvent } from "@coppice/engine";
import { failedText } from "@coppice/engine/display";
import type { RunReport } from "@coppice/engine/records";
import type { SamplingOptions } from "./sampling-options.ts";

type Numbered = Pick<SamplingOptions, "answered" | "repeats">;

/** What people call an evaluation: its trial, numbered as in the table of trials. */
function trialName(ask: number, { answered = [], repeats = 1 }: Numbered): string {
  const trial = `trial ${answered.length + Math.floor(ask / repeats) + 1}`;
  return repeats === 1 ? trial : `${trial}, evaluation ${(ask % repeats) + 1}`;
}

/** What the engine says of a task (`task 7 (key "{…}") failed`), with its trial instead. */
export function withTrialName(message: string, options: Numbered): string {
  return message.replace(/\btask (\d+)(?= \(key )/, (_, ask) => trialName(Number(ask), options));
}

/** The event with what people are told of a trial that failed. */
export function retoldTrials(event: RunEvent, options: Numbered): RunEvent {
  if (event.type === "failed") return { ...event, says: [failedText(event, trialName(event.ask, options))] };
  if (event.type !== "finished" || event.end.state === "done") return event;
  return { ...event, end: { ...event.end, message: withTrialName(event.end.message, options) } };
}

/** The report of a run with its failures named by their trials. */
export function namedTrials(report: RunReport, options: Numbered): RunReport {
  const { failures, end } = report;
  const shown = failures.shown.map((each) => ({ ...each, name: trialName(each.ask, options) }));
  const named = { ...report, failures: { ...failures, shown } };
  if (end === undefined || end.state === "done") return named;
  return { ...named, end: { ...end, message: withTrialName(end.message, options) } };
}
