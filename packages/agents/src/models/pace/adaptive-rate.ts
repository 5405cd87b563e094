/** Share of the pace that is kept when a request is refused now and then. */
const STEP_BACK = 0.96;
/** Growth per unit of time while nothing is refused, as a share of the pace. */
const STEP_UP = 0.015;
/** After this long without a refusal the limit must be further away than thought: growth doubles with every unit. */
const QUIET_UNITS = 3;
/** The most growth per unit; also while the limit has only been guessed. */
const SEEK_UP = 1;
const LONGEST_UNIT_MS = 10_000;
/** One step back answers for all refusals of this time: they tell of the same moment. */
const STEP_MS = 250;
/** The time over which requests are counted. */
const WINDOW_MS = 1000;
/** When more than this share of a window was refused, the count of what was not is a better guess than a step back. */
const CROWDED = 0.25;
/** Of fewer refusals in a window no share is worth taking. */
const CROWD = 4;
/** As many refusals without anything let through mean the same at a slow pace. */
const IN_A_ROW = 3;
/** The least to start from when hardly anything had been sent before the first refusal. */
const FIRST_PER_MS = 1 / 1000;
const SLOWEST_PER_MS = 1 / 10_000;

/**
 * Finds a provider's rate limit from its refusals (429): no limit until the first one; then the pace is what was not
 * refused; later refusals take a small step back and quiet time adds small steps (additive increase, multiplicative
 * decrease). Requests per millisecond throughout.
 */
export class AdaptiveRate {
  #perMs = Number.POSITIVE_INFINITY;
  #seeking = true;
  #grownAtMs = 0;
  #cutAtMs = Number.NEGATIVE_INFINITY;
  #inARow = 0;
  readonly #sent: number[] = [];
  readonly #refused: number[] = [];

  /** The pace now; infinite while no request has been refused. */
  perMs(nowMs: number): number {
    if (this.#perMs === Number.POSITIVE_INFINITY) return this.#perMs;
    // Time counts in seconds, or in tens of requests where those take longer: silence proves nothing by itself.
    const unitMs = Math.min(LONGEST_UNIT_MS, Math.max(1000, 10 / this.#perMs));
    const growth = this.#seeking ? SEEK_UP : growthPerUnit((nowMs - this.#cutAtMs) / unitMs);
    this.#perMs *= 1 + (growth * Math.max(0, nowMs - this.#grownAtMs)) / unitMs;
    this.#grownAtMs = nowMs;
    return this.#perMs;
  }

  sent(nowMs: number): void {
    this.#sent.push(nowMs);
    this.#forget(nowMs);
  }

  /** A request was let through. */
  accepted(): void {
    this.#inARow = 0;
  }

  /** A request that was sent at `sentAtMs` has been refused. */
  refused(sentAtMs: number, nowMs: number): void {
    this.#refused.push(nowMs);
    this.#inARow++;
    this.#forget(nowMs);
    // What was sent before the last step tells of the pace before it.
    if (sentAtMs < this.#cutAtMs || nowMs < this.#cutAtMs + STEP_MS) return;
    const first = this.#perMs === Number.POSITIVE_INFINITY;
    const pace = this.perMs(nowMs);
    const passed = Math.max(0, this.#sent.length - this.#refused.length) / WINDOW_MS;
    const many = this.#refused.length >= CROWD && this.#refused.length > CROWDED * this.#sent.length;
    const crowded = many || this.#inARow >= IN_A_ROW;
    if (first) this.#perMs = Math.max(FIRST_PER_MS, passed);
    else if (crowded) this.#perMs = Math.min(pace, Math.max(pace / 2, passed));
    else this.#perMs = STEP_BACK * pace;
    this.#perMs = Math.max(SLOWEST_PER_MS, this.#perMs);
    this.#seeking = first;
    this.#grownAtMs = nowMs;
    this.#cutAtMs = nowMs;
  }

  #forget(nowMs: number): void {
    const from = nowMs - WINDOW_MS;
    while (this.#sent[0] < from) this.#sent.shift();
    while (this.#refused[0] < from) this.#refused.shift();
  }
}

function growthPerUnit(quietUnits: number): number {
  return Math.min(SEEK_UP, STEP_UP * 2 ** Math.max(0, quietUnits - QUIET_UNITS));
}
