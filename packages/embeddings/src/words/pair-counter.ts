import { pairDimension } from '#words/pair-dimension';
import { termDimensions } from '#words/term-dimensions';

/**
 * Counts pairs of adjacent terms. Stopwords between two terms do not separate them, and of several
 * terms of one token the first follows the token before, and the last precedes the next one.
 */
export class PairCounter {
  readonly counts = new Map<number, number>();
  #previous: number | undefined;
  #start = -1;

  /** Adds the next term in text order, and the start of its token. */
  add(term: string, start: number): void {
    const { word } = termDimensions(term);
    if (start !== this.#start && this.#previous !== undefined) {
      const pair = pairDimension(this.#previous, word);
      this.counts.set(pair, (this.counts.get(pair) ?? 0) + 1);
    }
    this.#previous = word;
    this.#start = start;
  }
}
