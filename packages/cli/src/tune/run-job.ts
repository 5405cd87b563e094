import { type PoolFactory, RunNotDone, type StartOptions, start } from "@coppice/engine";
import type { HorizonResults, TournamentCandidate, TournamentResult } from "@coppice/search";
import { exitCode } from "../exit-code.ts";
import { printJson } from "../session/print-json.ts";
import { resumeCommand } from "../session/resume-command.ts";
import { interruptOnSignal } from "../session/signals.ts";
import type { TuneJob } from "./job.ts";
import { TuneDisplay } from "./tune-display.ts";
import type { TuneOptions } from "./tune-options.ts";

type Started<Result> = StartOptions<TournamentCandidate, HorizonResults<Result>, TournamentResult<Result>>;

/** How a job is run; none of it shapes the answer except what `shape` holds. */
export interface RunSettings {
  readonly options: TuneOptions;
  readonly pool: PoolFactory;
  readonly directory: string;
  readonly shape: Pick<Started<unknown>, "seed" | "lookahead" | "retries" | "timeoutMs" | "onFailure">;
  readonly json: boolean;
  readonly quiet: boolean;
}

/** Runs a tuning to its end, or until it is interrupted; returns the exit code. */
export async function runJob<Result>(job: TuneJob<Result>, settings: RunSettings): Promise<number> {
  const { terminal, live } = screen(settings.quiet);
  const [{ total: configs } = { total: 0 }] = job.tournament.progress().levels ?? [];
  const display = new TuneDisplay({
    configs,
    terminal,
    live,
    quiet: settings.quiet,
    titles: job.titles,
    objective: job.objective,
  });
  for (const notice of job.notices) display.say(notice);
  const run = await start<TournamentCandidate, HorizonResults<Result>, TournamentResult<Result>>({
    search: job.tournament,
    evaluator: job.evaluator,
    context: job.context,
    pool: settings.pool,
    ...(job.shared === undefined ? {} : { shared: job.shared }),
    ...settings.shape,
    journal: {
      directory: settings.directory,
      tool: "tune",
      options: settings.options,
      inputs: job.inputs,
    },
  });
  let heard = 0;
  run.subscribe((event) => {
    display.see(event);
    if (event.type !== "told") return;
    const news = job.tournament.news.slice(heard);
    heard += news.length;
    for (const item of news) display.news(item);
    // When several parameters ended at once (a resumed run), only the last one's standing is still known.
    const round = news.findLast((item) => item.kind === "round");
    if (round !== undefined) job.keep(round.round, job.tournament.result());
  });
  const stopListening = interruptOnSignal(run.interrupt);
  try {
    const { result } = await run.finished;
    const { report, text } = job.finish(result);
    display.close();
    if (settings.json) printJson(report);
    else process.stdout.write(`${text}\n`);
    return exitCode.done;
  } catch (error) {
    display.close();
    if (!(error instanceof RunNotDone)) throw error;
    if (error.end.state === "interrupted") {
      terminal.write(`coppice: ${error.message}; continue it with: ${resumeCommand(settings.directory)}\n`);
      return exitCode.interrupted;
    }
    terminal.write(`coppice: ${error.message}\n`);
    return exitCode.failed;
  } finally {
    stopListening();
  }
}

/** Progress goes to standard error: live in a terminal, plain lines elsewhere. */
function screen(quiet: boolean): { readonly terminal: NodeJS.WriteStream; readonly live: boolean } {
  const terminal = process.stderr;
  const { CI, TERM } = process.env;
  const inCi = CI !== undefined && CI !== "" && CI !== "0" && CI !== "false";
  return { terminal, live: terminal.isTTY === true && !quiet && !inCi && TERM !== "dumb" };
}
