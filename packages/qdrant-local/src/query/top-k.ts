/** A scored point. A larger score is better (the scan negates distances). */
export interface ScoredOffset {
  readonly offset: number;
  readonly score: number;
}

/** Keeps the best `limit` points in a heap whose root is the worst. Ties go to the lower offset. */
export class TopK {
  readonly limit: number;
  #scores: Float64Array;
  #offsets: Int32Array;
  #size = 0;
  /** The score that a new point must exceed; −∞ until the heap is full. */
  threshold = Number.NEGATIVE_INFINITY;

  constructor(limit: number) {
    this.limit = limit;
    const initial = Math.min(limit, 64);
    this.#scores = new Float64Array(initial);
    this.#offsets = new Int32Array(initial);
  }

  push(offset: number, score: number): void {
    if (this.#size < this.limit) {
      this.#reserve();
      this.#siftUp(this.#size++, offset, score);
      if (this.#size === this.limit) this.threshold = this.#scores[0] ?? 0;
    } else if (this.limit > 0 && this.#isWorse(this.#scores[0] ?? 0, this.#offsets[0] ?? 0, score, offset)) {
      this.#siftDown(offset, score);
      this.threshold = this.#scores[0] ?? 0;
    }
  }

  /** Returns the points, best first. */
  toSorted(): ScoredOffset[] {
    const hits: ScoredOffset[] = [];
    for (let i = 0; i < this.#size; i++) hits.push({ offset: this.#offsets[i] ?? 0, score: this.#scores[i] ?? 0 });
    return hits.sort((a, b) => b.score - a.score || a.offset - b.offset);
  }

  #isWorse(score: number, offset: number, otherScore: number, otherOffset: number): boolean {
    return score < otherScore || (score === otherScore && offset > otherOffset);
  }

  #reserve(): void {
    if (this.#size < this.#scores.length) return;
    const capacity = Math.min(this.limit, this.#scores.length * 2);
    const scores = new Float64Array(capacity);
    scores.set(this.#scores);
    const offsets = new Int32Array(capacity);
    offsets.set(this.#offsets);
    this.#scores = scores;
    this.#offsets = offsets;
  }

  #siftUp(from: number, offset: number, score: number): void {
    let at = from;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (!this.#isWorse(score, offset, this.#scores[parent] ?? 0, this.#offsets[parent] ?? 0)) break;
      this.#scores[at] = this.#scores[parent] ?? 0;
      this.#offsets[at] = this.#offsets[parent] ?? 0;
      at = parent;
    }
    this.#scores[at] = score;
    this.#offsets[at] = offset;
  }

  #siftDown(offset: number, score: number): void {
    const scores = this.#scores;
    const offsets = this.#offsets;
    let at = 0;
    for (;;) {
      let child = 2 * at + 1;
      if (child >= this.#size) break;
      const other = child + 1;
      if (
        other < this.#size &&
        this.#isWorse(scores[other] ?? 0, offsets[other] ?? 0, scores[child] ?? 0, offsets[child] ?? 0)
      )
        child = other;
      if (!this.#isWorse(scores[child] ?? 0, offsets[child] ?? 0, score, offset)) break;
      scores[at] = scores[child] ?? 0;
      offsets[at] = offsets[child] ?? 0;
      at = child;
    }
    scores[at] = score;
    offsets[at] = offset;
  }
}
