import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { counted } from "@coppice/engine/figures";
import { poolOf } from "@coppice/engine/pools";
import { runToEnd } from "@coppice/engine/session";
import { UsageError } from "@coppice/engine/usage-error";
import { encode } from "@coppice/engine/values";
import { openTree } from "../run/recorded-tree.ts";
import { searchOf, TREE_TOOL } from "../run/tree-settings.ts";
import type { RecordedAnswers } from "./recorded-evaluator.ts";

/** A recorded tree, grown again from its own answers. */
export interface RecordedParity {
  readonly treeRunId: string;
  readonly evaluations: number;
  readonly promotions: number;
  /** Of the record, of the tree grown one task at a time, and of the one grown with several at once. */
  readonly digests: { readonly recorded: string; readonly serial: string; readonly parallel: string };
  readonly workers: number;
  readonly same: boolean;
}

const evaluator = new URL("./recorded-evaluator.ts", import.meta.url);

/**
 * Grows a finished tree again from what its journal says every task came to, one at a time and several at once. For
 * agents that answer differently each time: what they answered is held fast, and the tree must be the same.
 */
export async function recordedParity(runRoot: string, workers: number): Promise<RecordedParity> {
  const { settings, journal } = openTree(runRoot);
  const { treeRunId } = settings;
  const recorded = journal.end?.event === "finished" ? journal.digest : undefined;
  if (recorded === undefined) {
    throw new UsageError(`run ${treeRunId} has not come to its end, so it lacks answers: resume it first`);
  }
  const folder = mkdtempSync(join(tmpdir(), "coppice-parity-"));
  try {
    const answers = join(folder, "answers.json");
    const outcomes = [...journal.tasks.keys()].map((key) => [key, encode(journal.outcome(key))]);
    writeFileSync(answers, JSON.stringify(Object.fromEntries(outcomes)));
    const grow = async (id: string, kind: string, count: number) => {
      const search = searchOf(settings, journal);
      const record = () => settings;
      const context: RecordedAnswers = { answers };
      const lookahead = 1_000_000;
      const { end } = await runToEnd(
        { tool: TREE_TOOL, search, evaluator, context, record, shape: { lookahead }, wholeBatches: true },
        { runs: folder, id },
        { pool: () => poolOf(kind, { workers: count, chunk: 1, ahead: false }) },
      );
      if (end.state !== "done") throw new Error(`run ${treeRunId}, grown again from its answers: ${end.message}`);
      return { digest: end.digest, result: end.result };
    };
    const serial = await grow("serial", "inline", 1);
    const parallel = await grow("parallel", "threads", workers);
    return {
      treeRunId,
      evaluations: serial.result.evaluations,
      promotions: serial.result.promotions.length,
      digests: { recorded, serial: serial.digest, parallel: parallel.digest },
      workers,
      same: recorded === serial.digest && recorded === parallel.digest,
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Whether it is one tree, in a line. */
export function recordedParityText({
  treeRunId,
  evaluations,
  promotions,
  digests,
  workers,
  same,
}: RecordedParity): string {
  const how = `run ${treeRunId}, grown again from its recorded answers one at a time and ${workers} at once`;
  if (same)
    return `${how}, is one tree: ${counted(evaluations, "evaluation")}, ${counted(promotions, "promotion")}, one digest ${digests.recorded}`;
  return `${how}, differs: digest ${digests.recorded} recorded, ${digests.serial} one at a time, ${digests.parallel} at once`;
}
