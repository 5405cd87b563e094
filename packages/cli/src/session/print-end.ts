import type { EndedRun, EndedSession, PreparedRun } from "@coppice/engine/session";
import { plainJson } from "@coppice/engine/values";
import { exitCode, oneLine } from "../exit-code.ts";
import { notice, print, printJson, remark } from "../print.ts";
import { resumeCommand } from "./resume-command.ts";

type Printed<Result> = Pick<
  PreparedRun<never, never, Result>,
  "describe" | "remarks" | "document" | "exitCode" | "farewell" | "resumeWith"
>;

/** Prints how a run ended, its result or the command that continues it, and sets the exit code accordingly. */
export function printEnd<Result>(
  prepared: Printed<Result>,
  { id, directory, resumed, end }: EndedSession<Result>,
  json: boolean,
): void {
  const resume = resumeCommand(directory, prepared.resumeWith);
  const { known, ...facts } = end.state === "done" ? doneFacts(end) : notDoneFacts(end, resume);
  const identity = { id, directory, ...(resumed === undefined ? {} : { resumed }), ...facts };
  if (json) {
    const document = known === undefined ? undefined : prepared.document?.(known, directory, resume);
    const plain = end.state === "done" ? { ...identity, result: plainJson(known) } : identity;
    printJson(document === undefined ? plain : { ...document, run: identity });
  } else if (known !== undefined && prepared.describe !== undefined) {
    const text = prepared.describe(known, directory);
    if (text !== "") print(`${text}\n`);
  } else if (end.state === "done") printJson(plainJson(known));
  if (!json && known !== undefined && prepared.remarks !== undefined) remark(prepared.remarks(known, directory));
  const usual = farewellOf(id, end, resume);
  const farewell = prepared.farewell === undefined ? usual : prepared.farewell(end, directory, resume, usual);
  if (farewell !== undefined) notice(farewell);
  process.exitCode = prepared.exitCode?.(end, directory) ?? usualExitCode(end);
}

function doneFacts<Result>({ result, ...done }: Extract<EndedRun<Result>, { state: "done" }>) {
  return { ...done, known: result };
}

function notDoneFacts<Result>(
  { partial, resumable, ...ended }: Exclude<EndedRun<Result>, { state: "done" }>,
  resume: string,
) {
  return { ...ended, ...(resumable ? { resume } : {}), known: partial };
}

function usualExitCode(end: EndedRun<unknown>): number {
  if (end.state === "done") return exitCode.done;
  return end.state === "interrupted" ? exitCode.interrupted : exitCode.failed;
}

function farewellOf(id: string, end: EndedRun<unknown>, resume: string): string | undefined {
  if (end.state === "done") return undefined;
  const how = end.state === "interrupted" ? "" : end.state === "error" ? "failed: " : `${end.state}: `;
  return `run ${id} ${how}${oneLine(end.message)}${end.resumable ? `; continue it with: ${resume}` : ""}`;
}
