import { readFileSync } from "node:fs";
import { join } from "node:path";
import { isPlainFile } from "@coppice/engine/files";
import { JOURNAL_NAME } from "@coppice/engine/records";
import { type Excerpt, excerptsOf } from "../view/excerpts.ts";
import { type Spent, spendingIn } from "../view/spending.ts";
import { RECORD, type RecordedCouncil } from "./council-result.ts";
import { type SpeculativeWaste, speculativeWaste } from "./speculative-waste.ts";

/** Letters of anything that was said that are shown. */
const MOST_LETTERS = 4000;

/** A council as pages show it. */
export interface CouncilView {
  /** What is on record, long texts cut; undefined until the first round is over. */
  readonly council?: RecordedCouncil;
  readonly waste: SpeculativeWaste;
  /** What all answers so far took together, answer by answer. */
  readonly spending: readonly Spent[];
  /** By what is cited, as it stands in the texts. */
  readonly excerpts: Readonly<Record<string, Excerpt>>;
}

/** What there is to see of a council, also while it sits. */
export function readCouncilView(directory: string): CouncilView {
  const path = join(directory, RECORD);
  const money = { waste: speculativeWaste(join(directory, JOURNAL_NAME)), spending: spendingIn(directory) };
  // A link could lead out of the run.
  if (!isPlainFile(path)) return { ...money, excerpts: {} };
  const texts: string[] = [];
  const cut = (_: string, value: unknown) => {
    if (typeof value !== "string") return value;
    texts.push(value);
    return value.length > MOST_LETTERS ? `${value.slice(0, MOST_LETTERS)} …` : value;
  };
  // Cast: written by the tool that this run is of.
  const council = JSON.parse(readFileSync(path, "utf8"), cut) as RecordedCouncil;
  return { ...money, council, excerpts: excerptsOf(texts, directory) };
}
