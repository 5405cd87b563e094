import { checkEvent, checkTexts, configuredEvents, describeProblem, type Problem, placesOf } from "@coppice/hooks";
import { projectDirectory } from "./project.ts";

/** Options of `coppice hooks check`. */
export interface CheckOptions {
  readonly project?: string;
  readonly json?: boolean;
}

/** `coppice hooks check`: everything that would make results depend on luck; 1 when there is an error among it. */
export async function check(options: CheckOptions): Promise<number> {
  const places = placesOf(projectDirectory(options.project), process.env);
  const unreadable: Problem[] = [];
  const events = configuredEvents(places, unreadable);
  const lists = [
    unreadable.map((problem) => ({ severity: problem.severity, text: describeProblem(problem) })),
    checkTexts(places),
  ];
  for (const event of events) lists.push(await checkEvent(event, places, process.env));
  const findings = [...new Map(lists.flat().map((finding) => [finding.text, finding])).values()];
  const errors = findings.filter(({ severity }) => severity === "error").length;
  if (options.json) process.stdout.write(`${JSON.stringify({ events, findings, ok: errors === 0 }, null, 2)}\n`);
  else {
    for (const { severity, text } of findings) process.stdout.write(`${severity}: ${text}\n`);
    const remarks = findings.length - errors;
    const counted = (n: number, noun: string): string => `${n} ${noun}${n === 1 ? "" : "s"}`;
    const counts = [counted(events.length, "event"), counted(errors, "error"), counted(remarks, "remark")];
    process.stdout.write(`${counts.join(", ")}\n`);
  }
  return errors === 0 ? 0 : 1;
}
