import { join } from "node:path";
import { onlyGiven } from "@coppice/engine/only-given";
import { PAGE_NAME, type PreparedRun } from "@coppice/engine/session";
import { type HorizonResults, type TournamentCandidate, type TournamentResult, tournamentNews } from "@coppice/search";
import { writeJson } from "../json-file.ts";
import { customTuning } from "./custom-tuning.ts";
import { footballTuning } from "./football-tuning.ts";
import { checkFolder } from "./output-folder.ts";
import type { TuneOptions, Tuning } from "./tuning.ts";

/** Where a run keeps what was found out beside its result: what `--output` has too, until another run writes there. */
export const REPORT = "tuning.json";

/** A tuning as a run, and what a display needs to know of it. */
export interface PreparedTune<Result = unknown>
  extends PreparedRun<TournamentCandidate, HorizonResults<Result>, TournamentResult<Result>>,
    Pick<Tuning<Result, unknown>, "notices" | "titles" | "objective"> {
  /** Configurations of the first parameter. */
  readonly configurations: number;
  /** Which parameter comes first. */
  readonly standing: string;
}

/** Prepares a tuning: the same for a start, a resume and a verification. Reads and checks everything, touches nothing. */
export function prepareTune(options: TuneOptions): PreparedTune {
  return options.kind === "football" ? asRun(options, footballTuning(options)) : asRun(options, customTuning(options));
}

function asRun<Result, Report extends object>(
  options: TuneOptions,
  tuning: Tuning<Result, Report>,
): PreparedTune<Result> {
  const { tournament, evaluator, evaluatorFiles, evaluatorFolders, context, shared, inputs } = tuning;
  const { notices, titles, objective, keep, write, text } = tuning;
  const reports = new WeakMap<TournamentResult<Result>, Report>();
  // A report measures everything anew: it is made once, whoever asks for it first.
  const reportOf = (result: TournamentResult<Result>): Report => {
    const report = reports.get(result) ?? tuning.report(result);
    reports.set(result, report);
    return report;
  };
  return {
    tool: "tune",
    record: () => options,
    search: tournament,
    evaluator,
    context,
    inputs,
    ...onlyGiven({ evaluatorFiles, evaluatorFolders, shared }),
    notices,
    titles,
    objective,
    configurations: tournament.progress().levels?.at(-1)?.total ?? 0,
    standing: tournament.progress().says?.[0] ?? "",
    before: () => checkFolder(options.output),
    begun(run) {
      run.subscribe((event) => {
        for (const news of tournamentNews(event)) {
          if (news.kind === "round") keep(news, tournament.bestsAfter(news.round));
        }
      });
    },
    finish(result, directory) {
      write(result, reportOf(result));
      writeJson(join(directory, REPORT), reportOf(result));
    },
    pages: () => [join(options.output, PAGE_NAME)],
    describe: (result) => text(reportOf(result)),
    document: (result) => Object.fromEntries(Object.entries(reportOf(result))),
  };
}
