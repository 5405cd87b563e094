import type { Command } from "commander";
import { dollars, wholeNumber, workerCount } from "../options/arguments.ts";
import { addOptions } from "../options/option-table.ts";
import {
  addJsonOption,
  addPlaceOption,
  addPoolOptions,
  addWorkOptions,
  RUN,
  withExample,
} from "../options/run-options.ts";
import { type Source, strongest } from "../options/two-names.ts";

const MODULE = "where the run's own module is now, if it was moved";
/** Evaluations that `verify` does again by default: seconds rather than hours for costly ones. */
const USUAL_SAMPLE = 16;

/** Adds `coppice runs`. */
export function registerRuns(program: Command): void {
  const command = program.command("runs").description("list the runs and the state of each");
  withExample(addPlaceOption(addJsonOption(command)), "coppice runs").action(async (flags) =>
    (await import("./list.ts")).printRuns(flags),
  );
}

/** Adds `coppice show`. */
export function registerShow(program: Command): void {
  const command = program
    .command("show")
    .description("show what is known about a run: settings, progress, failures, timers, workers")
    .argument("<run>", RUN)
    .option("--report", "write report.html (again) into the run's directory");
  withExample(addPlaceOption(addJsonOption(command)), "coppice show 1").action(async (run, flags) =>
    (await import("./show.ts")).showRun(run, flags),
  );
}

/** Adds `coppice watch`. */
export function registerWatch(program: Command): void {
  const command = program
    .command("watch")
    .description("follow a run of another process until it ends")
    .argument("<run>", RUN)
    .option("--quiet", "plain lines, even in a terminal");
  withExample(addPlaceOption(addJsonOption(command, "a line of JSON per event")), "coppice watch 1").action(
    async (run, flags) => (await import("./watch.ts")).watchRun(run, flags),
  );
}

/** Adds `coppice resume`. */
export function registerResume(program: Command): void {
  const command = program
    .command("resume")
    .description("continue a run where its journal ends; says first what is reused and what is run again")
    .argument("<run>", RUN);
  addOptions(command, [
    ["--max-cost <dollars>", "for runs that ask models: the most to spend in all", { read: dollars }],
    ["--module <file>", MODULE],
    [
      "--accept-changes",
      "continue although the evaluator's code has changed; the run is then reproducible only from its journal",
    ],
    ["--retry-failed", "for a finished map: run the items that failed again, as a new run"],
  ]);
  addOptions(addWorkOptions(command), [
    ["-j, --jobs <n>", "the same as --workers, as map calls it", { read: workerCount }],
  ]);
  withExample(command, "coppice resume 1 --workers 2").action(async (run, flags) => {
    const sourceOf = (option: string) => command.getOptionValueSource(option) as Source;
    const workers = strongest<number | "auto">({
      own: { flag: "--jobs", value: flags.jobs, source: sourceOf("jobs") },
      common: { flag: "--workers", value: flags.workers, source: sourceOf("workers") },
    });
    await (await import("./resume.ts")).resumeRun(run, { ...flags, workers: workers ?? flags.workers });
  });
}

/** Adds `coppice verify`. */
export function registerVerify(program: Command): void {
  const command = program
    .command("verify")
    .description("replay a run against its journal and evaluate a part of it again; changes nothing")
    .argument("<run>", RUN);
  addOptions(command, [
    ["--module <file>", MODULE],
    ["--all", "evaluate everything again", { conflicts: ["sample"] }],
    ["--sample <n>", "how many evaluations to do again", { read: wholeNumber(0, 1_000_000_000), usual: USUAL_SAMPLE }],
  ]);
  withExample(addPlaceOption(addJsonOption(addPoolOptions(command))), "coppice verify 1 --all").action(
    async (run, flags) => (await import("./verify.ts")).verifyRecord(run, flags),
  );
}

/** Adds `coppice diff`. */
export function registerDiff(program: Command): void {
  const command = program
    .command("diff")
    .description("name the first task where two runs differ; exit code 0 if they are the same, 1 if not")
    .argument("<a>", RUN)
    .argument("<b>", "the other run");
  withExample(addPlaceOption(addJsonOption(command)), "coppice diff 1 2").action(async (a, b, flags) =>
    (await import("./diff.ts")).printDiff(a, b, flags),
  );
}
