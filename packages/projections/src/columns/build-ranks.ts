import type { Season } from "../seasons/season.ts";
import { type ColumnArrays, MAX_WINDOW } from "./columns.ts";

/** Fills the ranks of a view, for every window length before `week`. */
export function fillRanks(
  season: Season,
  week: number,
  teamIndex: ReadonlyMap<string, number>,
  out: Pick<ColumnArrays, "offensive" | "defence" | "allowed">,
  view: number,
): void {
  const teamCount = teamIndex.size;
  const teams = [...season.teamWeeks.keys()];
  const indices = teams.map((team) => teamIndex.get(team) ?? 0);
  const games = teams.map((team) => season.teamWeeks.get(team) ?? []);
  const defences = (season.snapshots[week] ?? []).filter((idx) => season.players[idx]?.position === "DST");
  const defenceIndices = defences.map((idx) => teamIndex.get(season.players[idx]?.team ?? "") ?? 0);
  for (let window = 1; window <= Math.min(MAX_WINDOW, week - 1); window++) {
    const at = view * MAX_WINDOW + window - 1;
    const from = week - window - 1;
    const played = games.map((weeks) =>
      weeks.slice(from, week - 1).filter((game) => game.pointsScored !== 0 || game.pointsAllowed !== 0),
    );
    const scored = played.map((weeks) => -mean(weeks, (game) => game.pointsScored, 0));
    writeRanks(scored, indices, out.offensive, at * teamCount);
    const fantasy = defences.map((idx) => {
      const actual = season.players[idx]?.actual.slice(from, week - 1).filter((points) => points !== 0) ?? [];
      return -mean(actual, (points) => points, 0);
    });
    writeRanks(fantasy, defenceIndices, out.defence, at * teamCount);
    for (let p = 0; p < 5; p++) {
      const allowed = played.map((weeks) => mean(weeks, (game) => game.allowed[p] ?? 0, Number.POSITIVE_INFINITY));
      writeRanks(allowed, indices, out.allowed, (at * 5 + p) * teamCount);
    }
  }
}

/** Sums in week order: equal averages must stay equal. */
function mean<T>(items: readonly T[], of: (item: T) => number, none: number): number {
  let sum = 0;
  for (const item of items) sum += of(item);
  return items.length === 0 ? none : sum / items.length;
}

/** Writes 1, 2, 3, … by ascending value, equal values in input order. */
function writeRanks(values: readonly number[], indices: readonly number[], out: Uint8Array, offset: number): void {
  const order: number[] = [];
  for (let i = 0; i < values.length; i++) {
    let j = i;
    for (; j > 0 && values[order[j - 1]] > values[i]; j--) order[j] = order[j - 1];
    order[j] = i;
  }
  for (let i = 0; i < order.length; i++) out[offset + indices[order[i]]] = i + 1;
}
