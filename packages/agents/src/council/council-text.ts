import { counted, tableText } from "@coppice/engine/display";
import { type Charges, chargesText } from "../consult/charges.ts";
import { callsText } from "../models/money/totals.ts";
import type { CouncilResult, Speculation } from "./council-result.ts";
import type { Round } from "./round/council-round.ts";
import type { SpeculativeWaste } from "./speculative-waste.ts";

/** What a council left behind besides its result. */
export interface CouncilAccount {
  readonly record: string;
  readonly speculation: Speculation;
  readonly speculativeWaste: SpeculativeWaste & {
    /** Estimated, in US dollars, for answers that were stopped under way. */
    readonly stoppedCost: number;
  };
}

const endings: Readonly<Record<CouncilResult["ended"], string>> = {
  converged: "converged",
  concluded: "concluded by the arbiter",
  stalemate: "ended in a stalemate",
  "max-rounds": "ran out of rounds",
  "cost-cap": "stopped at its cost cap",
  "no-quorum": "lost its quorum",
  "all-failed": "failed",
  unfinished: "was not finished",
};

/** A verdict for people: what, why, who disagrees, what it rests on and what it cost. */
export function councilText(result: CouncilResult, charges: Charges, account: Partial<CouncilAccount>): string {
  const { verdict, confidence, ended, rounds, reasoning, labels, minority, degraded } = result;
  const head = `${verdict === null ? "NO VERDICT" : `${verdict} (confidence ${Math.round(confidence)})`}${degraded ? ", degraded" : ""}: the council ${endings[ended]} after ${counted(rounds.length, "round")}`;
  const parts = [
    [head, ...labels.map((label) => `  ! ${label}`)].join("\n"),
    ...(reasoning === "" ? [] : [reasoning]),
    ...(rounds.length === 0 ? [] : [statementsText(rounds)]),
    ...(minority.length === 0 ? [] : [minorityText(minority)]),
    ...openText(rounds),
    costText(result, charges, account),
  ];
  return parts.join("\n\n");
}

/** A row per member, a column per round. */
function statementsText(rounds: readonly Round[]): string {
  const members = [...new Set(rounds.flatMap(({ statements }) => statements.map(({ persona }) => persona)))];
  const cell = (round: Round, member: string) => {
    const statement = round.statements.find(({ persona }) => persona === member);
    if (statement === undefined) return "";
    if (statement.failed !== undefined) return "could not be asked";
    const { verdict, confidence, conviction } = statement.opinion;
    return `${verdict ?? "no verdict"} ${confidence}/${conviction}`;
  };
  const lead = ({ convergence }: Round) => `${convergence.verdict ?? "none"} ${Math.round(convergence.ratio * 100)} %`;
  return tableText(
    ["member", ...rounds.map(({ round }) => `round ${round}`)],
    [
      ...members.map((member) => [member, ...rounds.map((round) => cell(round, member))]),
      ["leading", ...rounds.map(lead)],
      ["arbiter", ...rounds.map(({ synthesis }) => synthesis?.verdict ?? "-")],
    ],
  );
}

function minorityText(minority: CouncilResult["minority"]): string {
  const lines = minority.map(({ persona, verdict, reasoning, blockers }) => {
    const blocked = blockers.length === 0 ? "" : ` Blockers: ${blockers.join("; ")}.`;
    return `  ${persona}: ${verdict}. ${reasoning.replace(/\s+/g, " ").trim()}${blocked}`;
  });
  return ["Minority report", ...lines].join("\n");
}

/** What was asked for, and what became of it. */
function openText(rounds: readonly Round[]): string[] {
  const lines = rounds.flatMap(({ round, info, recruitments }) => [
    ...info.map(
      ({ text, answer, from }) => `  round ${round}: ${text} ${answer === null ? `(no answer: ${from})` : `(${from})`}`,
    ),
    ...recruitments.map(({ persona, by, outcome }) => `  round ${round}: ${by} called for ${persona}: ${outcome}`),
  ]);
  return lines.length === 0 ? [] : [["Asked for on the way", ...lines].join("\n")];
}

function costText(
  { totals, settings }: CouncilResult,
  charges: Charges,
  { speculation, speculativeWaste: waste, record }: Partial<CouncilAccount>,
): string {
  const { maxRounds, threshold } = settings;
  const lines = [
    `${callsText(totals)} · ${chargesText(charges)}`,
    `at most ${maxRounds.value} rounds (${maxRounds.from}), threshold ${threshold.value} (${threshold.from})`,
  ];
  if (speculation !== undefined && waste !== undefined) {
    const cost = waste.cost + waste.stoppedCost;
    lines.push(
      `speculation: ${speculation.kept} of ${speculation.started} rounds kept; wasted ${waste.answered} answers and ${waste.aborted} stopped requests, $${cost.toFixed(4)}`,
    );
  }
  if (record !== undefined) lines.push(`record: ${record}`);
  return lines.join("\n");
}
