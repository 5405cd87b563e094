import { formatCount } from "@coppice/engine/display";
import { type Markup, markup, plotFrame, table } from "@coppice/engine/page";
import type { PopulationResult, RoundSummary } from "../planner/population/population-search.ts";

export const populationStyle = `
.way { fill: none; stroke: var(--dim); stroke-width: 0.8; opacity: 0.45; } .way.handed { stroke: var(--warn); opacity: 0.6; }
.walker { fill: var(--dim); opacity: 0.6; } .lineage { fill: none; stroke: var(--leaf); stroke-width: 2.2; } .walker.of-best { fill: var(--leaf); opacity: 1; }
#rounds { margin-top: 14px; max-height: 420px; overflow: auto; }
`;

/** Rounds and walkers of a population: who got how far, who went on with whose plan, and where the best plan comes from. */
export function populationSection(result: PopulationResult): Markup {
  const { walkers, rounds, evaluations } = result;
  return markup`<h2 id="convergence">Walkers <small>${formatCount(evaluations)} plans evaluated by ${walkers} ${walkers === 1 ? "walker" : "walkers"} in ${rounds.length} ${rounds.length === 1 ? "round" : "rounds"}</small></h2>
<div class="panel">${walkersChart(result)}</div>
<div class="panel" id="rounds">${roundTable(rounds)}</div>`;
}

/** A walker of a round. */
interface Place {
  readonly round: number;
  readonly walker: number;
}

/** The best plan's walker and those its plan was handed on by, the last one first. */
function lineageOf({ rounds, bestAt }: Pick<PopulationResult, "rounds" | "bestAt">): Place[] {
  if (bestAt === undefined) return [];
  const lineage: Place[] = [];
  let { walker } = bestAt;
  for (let round = Math.min(bestAt.round, rounds.length - 1); round >= 0; round--) {
    lineage.push({ round, walker });
    walker = rounds[round].walkers[walker].from;
  }
  return lineage;
}

/** Every walker's objective at the end of every round, joined to the walker whose plan it went on with. */
function walkersChart(result: PopulationResult): Markup {
  const { rounds, bestAt } = result;
  const objectiveOf = ({ round, walker }: Place): number | undefined => rounds[round]?.walkers[walker]?.objective;
  const places = rounds.flatMap(({ walkers }, round) => walkers.map((_, walker): Place => ({ round, walker })));
  const ended = places.filter((place) => objectiveOf(place) !== undefined);
  if (ended.length === 0) return markup`<p class="empty">No walker came to the end of a segment.</p>`;
  const objectives = ended.map((place) => objectiveOf(place) ?? 0);
  const best = result.best?.score.objective ?? Math.min(...objectives);
  const frame = plotFrame([-0.5, Math.max(1, rounds.length - 0.5)], [best, Math.max(...objectives)]);
  const at = (place: Place) => `${frame.x(place.round)} ${frame.y(objectiveOf(place) ?? best)}`;
  const before = ({ round, walker }: Place): Place => ({
    round: round - 1,
    walker: rounds[round].walkers[walker].from,
  });
  const ways = (handed: boolean) =>
    ended
      .filter((place) => place.round > 0 && (before(place).walker !== place.walker) === handed)
      .filter((place) => objectiveOf(before(place)) !== undefined)
      .map((place) => `M${at(before(place))}L${at(place)}`)
      .join("");
  const lineage = lineageOf(result);
  const dot = (place: Place, name: string) => {
    const { round, walker } = place;
    const { from } = rounds[round].walkers[walker];
    const came = round === 0 || from === walker ? "" : ` with walker ${from}'s plan`;
    return markup`<circle class="${name}" cx="${frame.x(round)}" cy="${frame.y(objectiveOf(place) ?? best)}" r="2.6"><title>round ${round}, walker ${walker}${came}: J ${(objectiveOf(place) ?? best).toFixed(1)}</title></circle>`;
  };
  const step = Math.ceil(rounds.length / 20);
  const ticks = rounds.map((_, round) => round).filter((round) => round % step === 0);
  const where =
    bestAt === undefined
      ? ""
      : `; the best, J ${best.toFixed(1)}, was found by walker ${bestAt.walker} in round ${bestAt.round}`;
  return markup`<figure class="chart"><svg viewBox="0 0 ${frame.size.width} ${frame.size.height}" role="img" aria-label="Objective of every walker at the end of every round">
${frame.axes({ label: "round: temperature", ticks, text: (round) => warmth(rounds[round]) }, { label: "J at its end", text: formatCount })}
<path class="way" d="${ways(false)}"/><path class="way handed" d="${ways(true)}"/>
${ended.map((place) => dot(place, "walker"))}
<path class="lineage" d="${lineage.length === 0 ? "" : `M${lineage.map(at).join("L")}`}"/>
${lineage.filter((place) => objectiveOf(place) !== undefined).map((place) => dot(place, "walker of-best"))}</svg>
<figcaption>each dot is a walker; a coloured line leads to one that went on with another's plan, the thick one to the best plan${where}</figcaption></figure>`;
}

function roundTable(rounds: readonly RoundSummary[]): Markup {
  const columns = ["round", "temperature", "evaluations", "best J so far", "least J at its end", "most"].map(
    (number) => ({
      number,
    }),
  );
  const rows = rounds.map((round, at) => {
    const ends = round.walkers.flatMap(({ objective }) => (objective === undefined ? [] : [objective]));
    const lost = round.walkers.length - ends.length;
    const handed = round.walkers.flatMap(({ from }, walker) => (from === walker ? [] : [`${from} → ${walker}`]));
    return [
      at,
      warmth(round),
      formatCount(round.evaluations),
      figure(round.best),
      figure(ends.length === 0 ? undefined : Math.min(...ends)),
      figure(ends.length === 0 ? undefined : Math.max(...ends)),
      `${handed.join(", ")}${lost === 0 ? "" : ` (${lost} lost)`}`,
    ];
  });
  return table([...columns, "plans handed on, from → to"], rows);
}

function warmth({ kind, temperature }: RoundSummary): string {
  return kind === "tree" ? "tree" : temperature.first.toFixed(1);
}

function figure(objective: number | undefined): string {
  return objective === undefined ? "–" : objective.toFixed(1);
}
