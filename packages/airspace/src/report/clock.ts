import type { Instance } from "../instance/instance.ts";

/** UTC time at which a bin starts, `HH:MM`. */
export function clockOf({ start, binMinutes }: Pick<Instance, "start" | "binMinutes">, bin: number): string {
  return new Date(Date.parse(start) + bin * binMinutes * 60_000).toISOString().slice(11, 16);
}
