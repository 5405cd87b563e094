import type { PreparedRun, RunFile } from "@coppice/engine";
import type { HorizonResults, TournamentCandidate, TournamentResult } from "@coppice/search";
import { customJob } from "./custom-job.ts";
import { footballJob } from "./football-job.ts";
import type { TuneJob } from "./job.ts";
import type { TuneOptions } from "./tune-options.ts";

/** Prepares a recorded tuning again, so that it can be resumed or verified. */
export async function rebuildTune(file: RunFile): Promise<PreparedRun> {
  // Cast: written by startTuning; the inputs these options lead to are compared with those of the run.
  const options = file.options as TuneOptions;
  return options.kind === "football" ? planned(footballJob(options), file) : planned(customJob(options), file);
}

type Planned<Result> = PreparedRun<TournamentCandidate, HorizonResults<Result>, TournamentResult<Result>>;

function planned<Result>(job: TuneJob<Result>, file: RunFile): Planned<Result> {
  const { tournament, evaluator, context, shared, inputs } = job;
  let text = "";
  return {
    tool: file.tool,
    record: () => file.options,
    search: tournament,
    evaluator,
    context,
    inputs,
    ...(shared === undefined ? {} : { shared }),
    finish(result) {
      ({ text } = job.finish(result));
    },
    describe: () => text,
  };
}
