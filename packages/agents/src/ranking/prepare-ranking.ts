import { right, tableText } from "@coppice/engine/display";
import { UsageError } from "@coppice/engine/usage-error";
import { type Charges, chargesText } from "../consult/charges.ts";
import type { ConsultSetup } from "../consult/consult-setup.ts";
import {
  type BatchRecord,
  batchRecord,
  type PreparedBatch,
  prepareConsultation,
} from "../consult/prepare-consultation.ts";
import type { ConsultContext } from "../models/gateway.ts";
import { summaryText } from "../models/money/totals.ts";
import { findPersonas } from "../personas/library.ts";
import { councilPresets, presetPersonas, readPersonaList } from "../personas/presets.ts";
import type { Member } from "./ranking-prompts.ts";
import { type RankingResult, RankingSearch, type RankingSetup } from "./ranking-search.ts";

/** More answers than letters could not be told apart, nor read by anybody. */
const MOST_MEMBERS = 26;

/** What `run.json` keeps of a ranking. */
export interface RankingRecord extends BatchRecord {
  readonly setup: RankingSetup;
}

/** What a ranking can be told; named like the options of its command. */
export interface RankingChoices {
  readonly preset?: string;
  readonly personas?: string;
  readonly arbiter?: string;
  readonly maxCost?: number;
  readonly quorum: number;
  readonly seed: number;
}

/** A ranking from what was chosen: the models that were named or pooled, or personas. */
export function composeRanking(question: string, choices: RankingChoices, consult: ConsultSetup): RankingRecord {
  const pool = consult.pool().map(({ reference }) => reference);
  const members = membersOf(choices, consult, pool);
  if (members.length < 2) {
    throw new UsageError("--rank needs two members at least: name several models (--model a,b) or personas");
  }
  if (members.length > MOST_MEMBERS) {
    throw new UsageError(`--rank: ${members.length} members are too many; at most ${MOST_MEMBERS} can be ranked`);
  }
  const { arbiter } = consult.models.file;
  const chosen = choices.arbiter ?? arbiter;
  const chair = chosen === undefined ? pool[0] : consult.modelNamed(chosen).reference;
  const { seed, quorum, maxCost } = choices;
  return {
    setup: { question, members, chair, tuning: consult.tuning, seed },
    ...batchRecord({ minSuccess: quorum, ...(maxCost === undefined ? {} : { maxCost }) }),
  };
}

function membersOf({ personas, preset }: RankingChoices, { library }: ConsultSetup, pool: readonly string[]): Member[] {
  if (personas === undefined && preset === undefined && pool.length > 1) {
    return pool.map((model) => ({ name: model, model }));
  }
  const names =
    personas === undefined
      ? presetPersonas(councilPresets, preset ?? "quick", library)
      : readPersonaList(personas, councilPresets, library);
  return findPersonas(library, names).map(({ name, instructions }, index) => ({
    name,
    model: pool[index % pool.length],
    instructions,
  }));
}

/** A ranking as a run, the same for a start, a resume and a verification. */
export function prepareRanking(record: RankingRecord, context: ConsultContext): PreparedBatch<RankingResult> {
  const { setup, minSuccess } = record;
  return prepareConsultation({
    tool: "ranking",
    record,
    search: new RankingSearch(setup),
    context,
    models: [...setup.members.map(({ model }) => model), setup.chair],
    describe: ({ answer }) => answer.trim(),
    remarks: rankingRemarks,
    document: (result) => ({ ...result }),
    succeeded: ({ by, members }) =>
      by !== "nobody" && members.filter(({ ok }) => ok).length >= minSuccess * members.length,
  });
}

function rankingRemarks({ members, judgements, by, chair, summary }: RankingResult, charges: Charges): string {
  const place = (member: string, ranking: readonly string[] | null) =>
    ranking === null ? "?" : String(ranking.indexOf(member) + 1);
  const table = tableText(
    ["member", ...right("average rank", ...judgements.map((judgement) => `by ${judgement.by}`))],
    members.map(({ name, averageRank, ok }) => [
      name,
      ok ? (averageRank?.toFixed(2) ?? "-") : "no answer",
      ...judgements.map(({ ranking }) => (ok ? place(name, ranking) : "")),
    ]),
  );
  const failed = members.flatMap(({ name, error }) =>
    error === null ? [] : [`${name}: ${error.type}: ${error.message}`],
  );
  const unread = judgements.filter(({ ranking }) => ranking === null).map((judgement) => judgement.by);
  return [
    table,
    ...failed,
    ...(unread.length === 0 ? [] : [`no ranking could be read of: ${unread.join(", ")}`]),
    ...(by === "chair" ? [] : [`the answer is of ${by}: ${chairTrouble(chair)}`]),
    `${summaryText(summary)} · ${chargesText(charges)}`,
  ].join("\n");
}

function chairTrouble({ error }: RankingResult["chair"]): string {
  return error === null || error.type === "NotAnswered"
    ? "there were not two answers to make one of"
    : `the chair could not be asked: ${error.type}: ${error.message}`;
}
