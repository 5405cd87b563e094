import { lstatSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { JOURNAL_NAME, readJournal } from "@coppice/engine/records";
import { decode } from "@coppice/engine/values";
import { readBack } from "../models/consultation.ts";
import { usageOf } from "../models/money/totals.ts";
import type { CouncilValue } from "./candidate.ts";
import { type CouncilResult, RECORD } from "./council-result.ts";
import { type SpeculativeWaste, speculativeWaste } from "./speculative-waste.ts";

/** Letters of anything that was said that are shown. */
const MOST_LETTERS = 4000;
/** Points of a curve; of more, every other one is left out until they fit. */
const MOST_POINTS = 500;

/** A council as pages show it. */
export interface CouncilView {
  /** What is on record, long texts cut; undefined until the first round is over. */
  readonly council?: CouncilResult;
  readonly waste: SpeculativeWaste;
  /** What all answers so far took together, answer by answer. */
  readonly spending: readonly Spent[];
}

/** Where the spending stood when an answer came. */
export interface Spent {
  /** Since the run began. */
  readonly atMs: number;
  readonly tokens: number;
  /** In US dollars, as far as prices are known. */
  readonly cost: number;
}

/** What there is to see of a council, also while it sits. */
export function readCouncilView(directory: string): CouncilView {
  const path = join(directory, RECORD);
  const journal = join(directory, JOURNAL_NAME);
  const spending = { waste: speculativeWaste(journal), spending: spendingIn(journal) };
  // A link could lead out of the run.
  if (lstatSync(path, { throwIfNoEntry: false })?.isFile() !== true) return spending;
  const cut = (_: string, value: unknown) =>
    typeof value === "string" && value.length > MOST_LETTERS ? `${value.slice(0, MOST_LETTERS)} …` : value;
  // Cast: written by the tool that this run is of.
  return { ...spending, council: JSON.parse(readFileSync(path, "utf8"), cut) as CouncilResult };
}

function spendingIn(journal: string): Spent[] {
  let points: Spent[] = [];
  let [tokens, cost] = [0, 0];
  let began: number | undefined;
  readJournal(journal, (entry) => {
    began ??= entry.at;
    if (entry.type !== "completed" || entry.from === "cache") return;
    const value = decode(entry.value) as CouncilValue;
    if (value.kind !== "model") return;
    const answer = readBack(value);
    const { promptTokens, answerTokens } = usageOf(answer);
    tokens += promptTokens + answerTokens;
    cost += answer.cost ?? 0;
    points.push({ atMs: entry.at - began, tokens, cost });
    if (points.length > MOST_POINTS) points = points.filter((_, index) => index % 2 === 1);
  });
  return points;
}
