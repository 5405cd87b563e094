import type { RunDetail } from "../wire.ts";

/** Fields that are long: a page that gets them once a second looks no different. */
const LONG: readonly (keyof RunDetail)[] = ["timeline", "curve", "failures", "timers", "notes"];
const LONG_EVERY_MS = 1000;

/** The fields of a run that are different now. A field that is gone is null. */
export type RunDetailChange = { readonly [Field in keyof RunDetail]?: RunDetail[Field] | null };

/** Says what changed in a run since it was last said, long fields more rarely while the run goes on. */
export class RunChanges {
  readonly #sent = new Map<string, string>();
  #longAt = Number.NEGATIVE_INFINITY;

  /** Undefined when there is nothing to say. */
  next(run: RunDetail, now: number): RunDetailChange | undefined {
    const withLong = run.state !== "running" || now - this.#longAt >= LONG_EVERY_MS;
    if (withLong) this.#longAt = now;
    const change: Record<string, unknown> = {};
    const fields = new Set([...this.#sent.keys(), ...Object.keys(run)]) as Set<keyof RunDetail>;
    for (const field of fields) {
      if (!withLong && LONG.includes(field)) continue;
      const text = JSON.stringify(run[field]) ?? "null";
      if (this.#sent.get(field) === text) continue;
      this.#sent.set(field, text);
      change[field] = run[field] ?? null;
    }
    return Object.keys(change).length === 0 ? undefined : (change as RunDetailChange);
  }
}
