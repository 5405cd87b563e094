import { type Player, POSITIONS } from "./season.ts";

/** Players in load order: position files one after the other, each in its given order. */
export function byPositionFile(order: readonly number[], players: readonly Player[]): readonly number[] {
  return POSITIONS.flatMap((position) => order.filter((idx) => players[idx]?.position === position));
}
