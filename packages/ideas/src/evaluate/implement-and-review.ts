import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { ReviewRound } from "../contract.ts";
import { takeChange } from "../git/candidate-commit.ts";
import { submoduleContents } from "../git/submodules.ts";
import type { TreeConfig } from "../settings.ts";
import type { PlaceholderValues } from "../steps/placeholders.ts";
import { REJECTED } from "../steps/reported-cost.ts";
import type { Pipeline } from "./pipeline.ts";
import { knownIssues, readReview } from "./verdict.ts";

/** How a change got where it may go on to tests and sweep; it is in the worktree's index. */
export interface Accepted {
  readonly rounds: readonly ReviewRound[];
  /** File with the change as text. */
  readonly diffPath: string;
}

/** Where an implementation happens. Absolute paths. */
export interface ReviewPlace {
  readonly worktree: string;
  readonly base: string;
  /** Folder for diffs, reviews and issues, one file of each per round. */
  readonly papers: string;
  /** Links in the worktree that are not part of the change. */
  readonly linked: readonly string[];
}

const EMPTY_DIFF = "The implementation changed no file.";

/**
 * Implements and has it reviewed, at most `maxRounds` times more: a change goes on when it is approved, or when the
 * rounds are used up and the policy says so. A change of nothing is rejected without asking anybody.
 */
export async function implementAndReview(
  pipeline: Pipeline,
  { steps, review }: TreeConfig,
  values: PlaceholderValues,
  place: ReviewPlace,
): Promise<Accepted> {
  const rounds: ReviewRound[] = [];
  mkdirSync(place.papers, { recursive: true });
  const held = await submoduleContents(place.worktree);
  for (let round = 0; ; round++) {
    const paper = (kind: string, text: string): string => {
      const path = join(place.papers, `round-${round}.${kind}`);
      writeFileSync(path, text);
      return path;
    };
    const issues = paper("issues.txt", (rounds.at(-1)?.issues ?? []).map((issue) => `${issue}\n`).join(""));
    await pipeline.run("implement", steps.implement, { ...values, issues }, round);
    const change = await takeChange(place.worktree, place.base, place.linked, held);
    const diffPath = paper("diff", change.diff);
    const judged = await judge();
    rounds.push({ round, ...judged });
    const last = round >= review.maxRounds;
    const approved = judged.verdict === "approve" || judged.verdict === "no-review";
    if (approved || (last && review.proceedOnMaxRounds && !change.empty)) return { rounds, diffPath };
    // Nobody was asked about an empty change: what there is to read is what the implementation said.
    const step = change.empty ? "implement" : "review";
    if (last) throw pipeline.failed(REJECTED, rejection(judged, rounds.length), step, { round, rounds });

    async function judge(): Promise<Pick<ReviewRound, "verdict" | "issues">> {
      if (change.empty) return { verdict: "empty-diff", issues: [EMPTY_DIFF] };
      if (steps.review === null) return { verdict: "no-review", issues: [] };
      const said = await pipeline.run("review", steps.review, { ...values, issues, diff: diffPath }, round);
      paper("review.txt", said);
      const { verdict, issues: raised } = readReview(said);
      const first = rounds.find(({ verdict }) => verdict !== "empty-diff");
      return { verdict, issues: first === undefined ? raised : knownIssues(raised, first.issues) };
    }
  }
}

function rejection({ verdict, issues }: Pick<ReviewRound, "verdict" | "issues">, rounds: number): string {
  if (verdict === "empty-diff") return `the implementation changed no file in round ${rounds}`;
  const how =
    verdict === "unknown" ? "the review's first line says neither APPROVE nor REJECT" : "the review rejected it";
  const why = issues.length === 0 ? "" : `: ${issues.join("; ").slice(0, 500)}`;
  return `${how} in round ${rounds}${why}`;
}
