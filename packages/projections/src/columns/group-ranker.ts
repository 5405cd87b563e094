import { type Columns, TOP } from "./columns.ts";

/** Numbers of one group's ranking: pairwise, top 5, 10, 20, Spearman; NaN where undefined. */
export const RANKINGS = 5;

/**
 * Ranks groups by their projections in preallocated space; one per evaluator, never shared. A group whose projections
 * are those it was ranked by last keeps its numbers: most parameters leave many groups alone.
 */
export class GroupRanker {
  /** Five numbers per group, as of its last ranking. */
  readonly rankings: Float64Array;
  readonly #columns: Columns;
  /** The projections each group was ranked by last. */
  readonly #rankedBy: Float64Array;
  readonly #key: Float64Array;
  readonly #member: Int32Array;
  readonly #spareKey: Float64Array;
  readonly #spareMember: Int32Array;
  /** Fenwick tree over actual ranks. */
  readonly #seen: Int32Array;
  /** Last group that met a name. */
  readonly #metIn: Int32Array;
  #stamp = 0;

  constructor(columns: Columns) {
    let largest = 0;
    for (let group = 0; group + 1 < columns.groupRanked.length; group++) {
      largest = Math.max(largest, columns.groupRanked[group + 1] - columns.groupRanked[group]);
    }
    this.#columns = columns;
    this.rankings = new Float64Array((columns.groupRanked.length - 1) * RANKINGS).fill(Number.NaN);
    this.#rankedBy = new Float64Array(columns.rankedRow.length).fill(Number.NaN);
    this.#key = new Float64Array(largest);
    this.#member = new Int32Array(largest);
    this.#spareKey = new Float64Array(largest);
    this.#spareMember = new Int32Array(largest);
    this.#seen = new Int32Array(largest + 1);
    this.#metIn = new Int32Array(largest);
  }

  /** Brings a group's five numbers up to date; they start at `rankings[group × 5]`. Hot: no allocation. */
  rank(group: number, projected: Float64Array): void {
    const { groupRanked, rankedRow, comparisons, actualSquares } = this.#columns;
    const start = groupRanked[group];
    const count = groupRanked[group + 1] - start;
    const key = this.#key;
    const member = this.#member;
    const rankedBy = this.#rankedBy;
    let same = true;
    for (let i = 0; i < count; i++) {
      const projection = projected[rankedRow[start + i]];
      if (projection !== rankedBy[start + i]) same = false;
      rankedBy[start + i] = projection;
      key[i] = projection;
      member[i] = i;
    }
    if (same) return;
    const out = this.rankings;
    const at = group * RANKINGS;
    this.#sortDescending(count);
    out[at] = comparisons[group] === 0 ? Number.NaN : this.#predicted(start, count) / comparisons[group];
    this.#tops(start, count, out, at + 1);
    out[at + 4] = this.#correlation(start, count, actualSquares[group]);
  }

  /** Merge sort of key and member together: largest key first, equal keys in load order. */
  #sortDescending(count: number): void {
    const RUN = 8;
    let key = this.#key;
    let member = this.#member;
    for (let from = 0; from < count; from += RUN) {
      const to = Math.min(from + RUN, count);
      for (let i = from + 1; i < to; i++) {
        const k = key[i];
        const m = member[i];
        let j = i;
        for (; j > from && key[j - 1] < k; j--) {
          key[j] = key[j - 1];
          member[j] = member[j - 1];
        }
        key[j] = k;
        member[j] = m;
      }
    }
    let otherKey = this.#spareKey;
    let otherMember = this.#spareMember;
    for (let width = RUN; width < count; width *= 2) {
      for (let from = 0; from < count; from += 2 * width) {
        const middle = Math.min(from + width, count);
        const to = Math.min(from + 2 * width, count);
        let left = from;
        let right = middle;
        for (let i = from; i < to; i++) {
          if (left < middle && (right >= to || key[left] >= key[right])) {
            otherKey[i] = key[left];
            otherMember[i] = member[left++];
          } else {
            otherKey[i] = key[right];
            otherMember[i] = member[right++];
          }
        }
      }
      [key, otherKey] = [otherKey, key];
      [member, otherMember] = [otherMember, member];
    }
    if (key !== this.#key) {
      for (let i = 0; i < count; i++) {
        this.#key[i] = key[i];
        this.#member[i] = member[i];
      }
    }
  }

  /**
   * Pairs whose order was predicted, by counting inversions: from the highest projection down, how many of those met
   * before have a higher actual. Equal projections are met in reverse load order, because of two equal ones the later
   * player is the one that counts as greater.
   */
  #predicted(start: number, count: number): number {
    const { actualRank } = this.#columns;
    const key = this.#key;
    const member = this.#member;
    const seen = this.#seen;
    seen.fill(0, 0, count + 1);
    let predicted = 0;
    let met = 0;
    for (let i = 0; i < count; ) {
      let end = i + 1;
      while (end < count && key[end] === key[i]) end++;
      for (let k = end - 1; k >= i; k--) {
        const rank = actualRank[start + member[k]];
        let notHigher = 0;
        for (let node = rank; node > 0; node &= node - 1) notHigher += seen[node];
        predicted += met - notHigher;
        for (let node = rank; node <= count; node += node & -node) seen[node]++;
        met++;
      }
      i = end;
    }
    return predicted;
  }

  /** Shares of the true top 5, 10, 20 among the projected ones, by name; a name met twice counts once. */
  #tops(start: number, count: number, out: Float64Array, at: number): void {
    const { nameInGroup, topFlags } = this.#columns;
    const stamp = ++this.#stamp;
    let five = 0;
    let ten = 0;
    let twenty = 0;
    const last = Math.min(count, 20);
    for (let k = 0; k < last; k++) {
      const name = nameInGroup[start + this.#member[k]];
      if (this.#metIn[name] === stamp) continue;
      this.#metIn[name] = stamp;
      const flags = topFlags[start + name];
      if (k < 5 && (flags & TOP.five) !== 0) five++;
      if (k < 10 && (flags & TOP.ten) !== 0) ten++;
      if ((flags & TOP.twenty) !== 0) twenty++;
    }
    out[at] = count < 5 ? Number.NaN : five / 5;
    out[at + 1] = count < 10 ? Number.NaN : ten / 10;
    out[at + 2] = count < 20 ? Number.NaN : twenty / 20;
  }

  /** Pearson correlation of average ranks; doubled ranks are whole, so every sum is exact. */
  #correlation(start: number, count: number, actualSquares: number): number {
    const { actualSpread } = this.#columns;
    const key = this.#key;
    const member = this.#member;
    let squares = 0;
    let products = 0;
    for (let i = 0; i < count; ) {
      let end = i + 1;
      while (end < count && key[end] === key[i]) end++;
      const spread = count - i - end;
      for (let k = i; k < end; k++) products += spread * actualSpread[start + member[k]];
      squares += spread * spread * (end - i);
      i = end;
    }
    if (squares === 0 || actualSquares === 0) return Number.NaN;
    return products / 4 / Math.sqrt((squares / 4) * (actualSquares / 4));
  }
}
