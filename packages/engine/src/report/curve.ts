import type { CurvePoint } from "./run-report.ts";

const MAX_POINTS = 600;

/** Keeps a best-so-far curve to a few hundred points while it grows: when full, every other inner point goes. */
export class Curve {
  #points: CurvePoint[] = [];
  #stride = 1;
  #last: CurvePoint | undefined;

  /** Tells that are not new (a replay) are skipped. */
  add(told: number, best: number): void {
    if (this.#last !== undefined && told <= this.#last.told) return;
    const changed = best !== this.#last?.best;
    this.#last = { told, best };
    const kept = this.#points.at(-1);
    if (!changed || (kept !== undefined && told - kept.told < this.#stride)) return;
    this.#points.push(this.#last);
    if (this.#points.length < MAX_POINTS) return;
    this.#points = this.#points.filter((_, index) => index % 2 === 0);
    this.#stride = Math.max(1, Math.ceil((2 * told) / MAX_POINTS));
  }

  /** In order of tells, the last one included. */
  points(): CurvePoint[] {
    const last = this.#last;
    if (last === undefined || last.told === this.#points.at(-1)?.told) return [...this.#points];
    return [...this.#points, last];
  }
}
