import { readResultFile, readRunFile } from "@coppice/engine/records";
import type { StudyResult, TournamentResult } from "@coppice/search";
import type { SamplingRecord } from "../sampling/prepare-sampling.ts";
import type { TuneOptions } from "../tuning/tuning.ts";
import { samplingView } from "./sampling-view.ts";
import { tournamentView } from "./tournament-view.ts";
import type { TunerView } from "./tuner-view.ts";

/** What there is to see of a tuning, also while it goes on. */
export async function readTunerView(directory: string): Promise<TunerView> {
  const { tool, options } = readRunFile(directory);
  const result = readResultFile(directory)?.result;
  // Casts: those tools have written both.
  return tool === "sampling"
    ? samplingView(options as SamplingRecord, result as StudyResult | undefined, directory)
    : tournamentView(options as TuneOptions, result as TournamentResult<unknown> | undefined, directory);
}
