/** What a worker takes of this process's file descriptors at most, and what everything else takes. */
const PER_WORKER = 8;
const BESIDES = 32;

/** Whether something failed because this process, or the machine, may not open more files. */
export function outOfDescriptors(reason: string): boolean {
  return /\bE[MN]FILE\b|too many open files/i.test(reason);
}

/** What to do about it, in one line. */
export function descriptorAdvice(workers: number): string {
  const limit = openFiles();
  const fit = Math.floor(((limit ?? 0) - BESIDES) / PER_WORKER);
  const instead = fit >= 1 && fit < workers ? `use at most ${fit}` : "use fewer";
  const may = limit === undefined ? "" : `: this process may have ${limit} open`;
  return `there are not enough file descriptors for ${workers} workers${may}; ${instead}, or raise the limit (ulimit -n)`;
}

/** The limit as this process has it. A file that says so could not be opened now. */
function openFiles(): number | undefined {
  // Otherwise the report looks up the names of whomever this process talks to.
  Object.assign(process.report, { excludeNetwork: true });
  const { userLimits } = process.report.getReport() as { userLimits?: { open_files?: { soft?: unknown } } };
  const soft = userLimits?.open_files?.soft;
  return typeof soft === "number" ? soft : undefined;
}
