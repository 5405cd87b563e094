/** Numbers different values from 1, in the order they are met; 0 stands for none. */
export class Numbering {
  readonly #numbers = new Map<number, number>();

  of(value: number | undefined): number {
    if (value === undefined) return 0;
    const number = this.#numbers.get(value) ?? this.#numbers.size + 1;
    this.#numbers.set(value, number);
    return number;
  }

  /** The values by their numbers; the first is NaN, for none. */
  values(): Float64Array {
    return Float64Array.of(Number.NaN, ...this.#numbers.keys());
  }
}
