import { encode, type ResumePlan, type RunDone, type RunEnd } from "@coppice/engine";
import { oneLine } from "../exit-code.ts";

/** What a command prints on standard output when its run has ended. */
export interface SessionEnd {
  readonly id: string;
  readonly directory: string;
  /** What the journal had, if the run was resumed. */
  readonly resumed: ResumePlan | undefined;
}

/** The result of a run that is done: for people, or as one JSON document. */
export function printDone<Result>(
  session: SessionEnd,
  done: RunDone<Result>,
  { json, describe }: { readonly json: boolean; readonly describe: ((result: Result) => string) | undefined },
): void {
  const result: unknown = JSON.parse(encode(done.result ?? null));
  if (json) {
    const { digest, tells, reproducible } = done;
    printJson({ ...identity(session), state: "done", tells, digest, reproducible, result });
  } else process.stdout.write(`${describe?.(done.result) ?? JSON.stringify(result, null, 2)}\n`);
}

/** How a run ended that is not done, with the command that continues it, if it can be. */
export function printNotDone(
  session: SessionEnd,
  end: Exclude<RunEnd, { state: "done" }>,
  json: boolean,
  resume: string | undefined,
): void {
  if (json) printJson({ ...identity(session), ...end, ...(resume === undefined ? {} : { resume }) });
  const state = end.state === "error" ? "failed" : end.state;
  const then = resume === undefined ? "" : `; continue it with: ${resume}`;
  process.stderr.write(`coppice: run ${session.id} ${state}: ${oneLine(end.message)}${then}\n`);
}

export function printJson(value: unknown): void {
  process.stdout.write(`${JSON.stringify(value, null, 2)}\n`);
}

function identity({ id, directory, resumed }: SessionEnd) {
  return { id, directory, ...(resumed === undefined ? {} : { resumed }) };
}
