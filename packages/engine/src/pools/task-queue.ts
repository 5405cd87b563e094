/** Something with a place in the line. */
interface Numbered {
  readonly id: number;
}

/** What waits for its turn, lowest id first. New ids are almost always the highest, so adding is almost always an append. */
export class TaskQueue<Item extends Numbered> {
  #items: Item[] = [];
  #head = 0;

  get length(): number {
    return this.#items.length - this.#head;
  }

  add(item: Item): void {
    const items = this.#items;
    if (items.length === this.#head || items[items.length - 1].id < item.id) items.push(item);
    else items.splice(this.#place(item.id), 0, item);
  }

  /** Takes out the lowest. */
  next(): Item | undefined {
    const item = this.#items[this.#head];
    if (item !== undefined) this.#moveOn(1);
    return item;
  }

  /** Takes out the `count` lowest. */
  take(count: number): Item[] {
    const taken = this.#items.slice(this.#head, this.#head + count);
    this.#moveOn(taken.length);
    return taken;
  }

  remove(id: number): boolean {
    const place = this.#place(id);
    if (this.#items[place]?.id !== id) return false;
    this.#items.splice(place, 1);
    return true;
  }

  clear(): void {
    this.#items = [];
    this.#head = 0;
  }

  /** Gives memory back now and then; moving the rest each time would make taking quadratic. */
  #moveOn(count: number): void {
    this.#head += count;
    if (this.#head <= 64 || this.#head * 2 <= this.#items.length) return;
    this.#items = this.#items.slice(this.#head);
    this.#head = 0;
  }

  /** Index of the first item whose id is not below `id`. */
  #place(id: number): number {
    let low = this.#head;
    let high = this.#items.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#items[middle].id < id) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
