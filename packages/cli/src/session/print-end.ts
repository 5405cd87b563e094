import { encode } from "@coppice/engine";
import { exitCode, oneLine } from "../exit-code.ts";
import { printJson } from "./print-json.ts";
import { resumeCommand } from "./resume-command.ts";
import type { EndedRun, EndedSession } from "./run-to-end.ts";

export interface PrintOptions<Result> {
  readonly json?: boolean | undefined;
  /** The result as text for people; otherwise it is printed as JSON. */
  readonly describe?: ((result: Result) => string) | undefined;
  /** Makes the document of `--json`; otherwise the result is printed as it is. */
  readonly document?: ((result: Result) => Readonly<Record<string, unknown>>) | undefined;
  /** What is known of the result when the run was interrupted. */
  readonly partial?: ((directory: string) => Result) | undefined;
  /** The exit code of a run that is done; 0 if absent. */
  readonly exitCode?: ((result: Result) => number) | undefined;
}

/** Prints how a run ended, its result or the command that continues it, and sets the exit code accordingly. */
export function printEnd<Result>(session: EndedSession<Result>, options: PrintOptions<Result>): void {
  const { json, describe, document, partial } = options;
  const { id, directory, resumed, end } = session;
  const identity = { id, directory, ...(resumed === undefined ? {} : { resumed }) };
  if (end.state === "done") {
    const result: unknown = JSON.parse(encode(end.result ?? null));
    if (json === true) {
      const { result: _, ...done } = end;
      printJson(
        document === undefined
          ? { ...identity, ...end, result }
          : { ...document(end.result), run: { ...identity, ...done } },
      );
    } else process.stdout.write(`${describe?.(end.result) ?? JSON.stringify(result, null, 2)}\n`);
    if (options.exitCode !== undefined) process.exitCode = options.exitCode(end.result);
    return;
  }
  const { resumable, ...ended } = end;
  const resume = resumable ? { resume: resumeCommand(directory) } : {};
  const known = partial?.(directory);
  const stopped = { ...identity, ...ended, ...resume };
  if (json === true) printJson(known === undefined ? stopped : { ...document?.(known), run: stopped });
  else if (known !== undefined && describe !== undefined) process.stdout.write(`${describe(known)}\n`);
  process.stderr.write(
    `coppice: run ${id} ${endText(end)}${resumable ? `; continue it with: ${resume.resume}` : ""}\n`,
  );
  process.exitCode = end.state === "interrupted" ? exitCode.interrupted : exitCode.failed;
}

function endText(end: Exclude<EndedRun<unknown>, { state: "done" }>): string {
  if (end.state === "interrupted") return oneLine(end.message);
  return `${end.state === "error" ? "failed" : end.state}: ${oneLine(end.message)}`;
}
