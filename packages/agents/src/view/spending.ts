import { join } from "node:path";
import { JOURNAL_NAME, readJournal } from "@coppice/engine/records";
import { decode } from "@coppice/engine/values";
import type { CouncilValue } from "../council/candidate.ts";
import { type ModelAnswer, readBack, type WrittenAnswer } from "../models/consultation.ts";
import { usageOf } from "../models/money/totals.ts";

/** Points of a curve; of more, every other one is left out until they fit. */
const MOST_POINTS = 500;

/** Where the spending stood when an answer came. */
export interface Spent {
  /** Since the run began. */
  readonly atMs: number;
  readonly tokens: number;
  /** In US dollars, as far as prices are known. */
  readonly cost: number;
}

/** What all answers so far took together, answer by answer; `visit` is told each. */
export function spendingIn(directory: string, visit: (answer: ModelAnswer, ask: number) => void = () => {}): Spent[] {
  let points: Spent[] = [];
  let [tokens, cost] = [0, 0];
  let began: number | undefined;
  readJournal(join(directory, JOURNAL_NAME), (entry) => {
    began ??= entry.at;
    if (entry.type !== "completed" || entry.from === "cache") return;
    // Cast: what is asked of models is answered so; a council also looks things up.
    const value = decode(entry.value) as CouncilValue | WrittenAnswer | ModelAnswer;
    if ("kind" in value && value.kind !== "model") return;
    const answer = readBack(value);
    visit(answer, entry.ask);
    const { promptTokens, answerTokens } = usageOf(answer);
    tokens += promptTokens + answerTokens;
    cost += answer.cost ?? 0;
    points.push({ atMs: entry.at - began, tokens, cost });
    // The last one stays: it is what all took.
    if (points.length > MOST_POINTS) points = points.filter((_, index) => index % 2 === (points.length - 1) % 2);
  });
  return points;
}
