import type { WalkersView } from "@coppice/airspace/view";
import { formatValue } from "@coppice/engine/figures";
import type { Dot, Link } from "../chart/dot-chart.tsx";
import type { Tick } from "../chart/plot-area.ts";

type Round = WalkersView["rounds"][number];

/** Every walker's objective at the end of every round, joined to the walker whose plan it went on with. */
export interface WalkersPicture {
  readonly dots: readonly Dot[];
  readonly links: readonly Link[];
  readonly ticks: readonly Tick[];
  /** A row per round. */
  readonly rows: readonly (readonly (string | number)[])[];
}

/** Rounds that are named on the axis. */
const MOST_TICKS = 12;

/** Who got how far, who went on with whose plan, and where the best plan comes from. */
export function walkersPicture({ rounds, bestAt }: Pick<WalkersView, "rounds" | "bestAt">): WalkersPicture {
  const objectiveAt = (round: number, walker: number) => rounds[round]?.walkers[walker]?.objective;
  const lineage = new Set(lineageOf(rounds, bestAt));
  const dots: Dot[] = [];
  const links: Link[] = [];
  for (const [round, { walkers }] of rounds.entries()) {
    for (const [walker, { from, objective }] of walkers.entries()) {
      if (objective === undefined) continue;
      const isBest = lineage.has(`${round}/${walker}`);
      const came = round === 0 || from === walker ? "" : ` with walker ${from}'s plan`;
      dots.push({
        x: round,
        y: objective,
        colour: isBest ? "accent" : "muted",
        says: `round ${round}, walker ${walker}${came}: J ${formatValue(objective)}`,
      });
      const before = objectiveAt(round - 1, from);
      if (before === undefined) continue;
      const colour = isBest ? "accent" : from === walker ? "line" : "warn";
      links.push({ from: [round - 1, before], to: [round, objective], colour, width: isBest ? 3 : 1 });
    }
  }
  const step = Math.ceil(rounds.length / MOST_TICKS);
  return {
    dots,
    links: links.toSorted((a, b) => Number(a.colour === "accent") - Number(b.colour === "accent")),
    ticks: rounds.map((round, at) => ({ at, text: warmth(round) })).filter(({ at }) => at % step === 0),
    rows: rounds.map(rowOf),
  };
}

/** The best plan's walker and those its plan was handed on by. */
function lineageOf(rounds: readonly Round[], bestAt: WalkersView["bestAt"]): string[] {
  if (bestAt === undefined) return [];
  const lineage: string[] = [];
  let { walker } = bestAt;
  for (let round = Math.min(bestAt.round, rounds.length - 1); round >= 0; round--) {
    lineage.push(`${round}/${walker}`);
    walker = rounds[round].walkers[walker].from;
  }
  return lineage;
}

function rowOf(round: Round, at: number): (string | number)[] {
  const ends = round.walkers.flatMap(({ objective }) => objective ?? []);
  const lost = round.walkers.length - ends.length;
  const handed = round.walkers.flatMap(({ from }, walker) => (from === walker ? [] : [`${from} → ${walker}`]));
  return [
    ...[
      at,
      round.kind === "tree" ? "" : Number(round.temperature.first.toFixed(2)),
      round.evaluations,
      round.best ?? "",
    ],
    ...(ends.length === 0 ? ["", ""] : [Math.min(...ends), Math.max(...ends)]),
    `${handed.join(", ")}${lost === 0 ? "" : ` (${lost} lost)`}`,
  ];
}

function warmth({ kind, temperature }: Round): string {
  return kind === "tree" ? "tree" : formatValue(Number(temperature.first.toFixed(1)));
}
