import { encode } from "@coppice/engine";
import { exitCode, oneLine } from "../exit-code.ts";
import { printJson } from "./print-json.ts";
import { resumeCommand } from "./resume-command.ts";
import type { EndedRun, EndedSession } from "./run-to-end.ts";

export interface PrintOptions<Result> {
  readonly json?: boolean | undefined;
  /** The result as text for people; otherwise it is printed as JSON. */
  readonly describe?: ((result: Result) => string) | undefined;
}

/** Prints how a run ended, its result or the command that continues it, and sets the exit code accordingly. */
export function printEnd<Result>(session: EndedSession<Result>, { json, describe }: PrintOptions<Result>): void {
  const { id, directory, resumed, end } = session;
  const identity = { id, directory, ...(resumed === undefined ? {} : { resumed }) };
  if (end.state === "done") {
    const result: unknown = JSON.parse(encode(end.result ?? null));
    if (json === true) printJson({ ...identity, ...end, result });
    else process.stdout.write(`${describe?.(end.result) ?? JSON.stringify(result, null, 2)}\n`);
    return;
  }
  const { resumable, ...ended } = end;
  const resume = resumable ? { resume: resumeCommand(directory) } : {};
  if (json === true) printJson({ ...identity, ...ended, ...resume });
  process.stderr.write(
    `coppice: run ${id} ${endText(end)}${resumable ? `; continue it with: ${resume.resume}` : ""}\n`,
  );
  process.exitCode = end.state === "interrupted" ? exitCode.interrupted : exitCode.failed;
}

function endText(end: Exclude<EndedRun<unknown>, { state: "done" }>): string {
  if (end.state === "interrupted") return oneLine(end.message);
  return `${end.state === "error" ? "failed" : end.state}: ${oneLine(end.message)}`;
}
