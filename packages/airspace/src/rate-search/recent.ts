/** The values used most recently, up to a number; finding one makes it recent. */
export class Recent<Value> {
  readonly #size: number;
  readonly #values = new Map<string, Value>();

  constructor(size: number) {
    this.#size = size;
  }

  find(key: string): Value | undefined {
    const value = this.#values.get(key);
    if (value === undefined) return undefined;
    this.#values.delete(key);
    this.#values.set(key, value);
    return value;
  }

  /** Adds a value and forgets the one unused for longest. */
  add(key: string, value: Value): Value {
    this.#values.set(key, value);
    if (this.#values.size > this.#size) {
      const [oldest] = this.#values.keys();
      this.#values.delete(oldest);
    }
    return value;
  }
}
