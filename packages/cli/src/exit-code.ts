/** What a command ends with; the same meaning everywhere. */
export const exitCode = {
  done: 0,
  /** It was tried and failed. */
  failed: 1,
  /** Wrong usage: one line was printed and nothing was touched. */
  usage: 2,
  /** Interrupted; a run can be resumed with the command that was printed. */
  interrupted: 130,
} as const;

/** Errors that mean "what you asked for cannot be", by name: their packages are loaded only by the tools that use them. */
const usageErrors: ReadonlySet<string> = new Set([
  "UsageError",
  "EvaluatorUnusable",
  "PoolBroken",
  "InvalidArgumentError",
]);

/** The exit code an error stands for. */
export function exitCodeOf(error: unknown): number {
  return error instanceof Error && usageErrors.has(error.name) ? exitCode.usage : exitCode.failed;
}

/** An error as one line for people; `COPPICE_DEBUG` adds the stack. */
export function errorText(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  const line = /EMFILE|Too many open files/i.test(message)
    ? "this process may not have so many files open: raise the limit (ulimit -n 1024), or use fewer workers"
    : oneLine(message);
  const debug = process.env.COPPICE_DEBUG;
  if (debug === undefined || debug === "" || debug === "0" || !(error instanceof Error)) return line;
  return `${line}\n${error.stack ?? ""}`;
}

export function oneLine(text: string): string {
  return text.replace(/\s*\n\s*/g, " ").trim();
}
