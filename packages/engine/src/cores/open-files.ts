/** What a worker takes of this process's file descriptors at most, and what everything else takes. */
const PER_WORKER = 8;
const BESIDES = 32;

/** Whether something failed because this process, or the machine, may not open more files. */
export function outOfDescriptors(reason: string): boolean {
  return /\bE[MN]FILE\b|too many open files/i.test(reason);
}

/** What to do about it, in one line. */
export function descriptorAdvice(workers: number): string {
  const limit = openFileLimit();
  const fit = workersWithin(limit ?? 0);
  const instead = fit >= 1 && fit < workers ? `use at most ${fit}` : "use fewer";
  const may = limit === undefined ? "" : `: this process may have ${limit} open`;
  return `there are not enough file descriptors for ${workers} workers${may}; ${instead}, or raise the limit (ulimit -n)`;
}

/** How many workers a limit of open files is enough for. */
export function workersWithin(openFiles: number): number {
  return Math.max(0, Math.floor((openFiles - BESIDES) / PER_WORKER));
}

/** How many files this process may have open; undefined without a limit. Opens none to find out. */
export function openFileLimit(): number | undefined {
  // Otherwise the report looks up the names of whomever this process talks to.
  Object.assign(process.report, { excludeNetwork: true });
  const { userLimits } = process.report.getReport() as { userLimits?: { open_files?: { soft?: unknown } } };
  const soft = userLimits?.open_files?.soft;
  return typeof soft === "number" ? soft : undefined;
}
